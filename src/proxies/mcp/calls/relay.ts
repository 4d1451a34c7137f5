import { Logger } from '@nestjs/common';
import type { CallLog } from '../../../gate/ports/call-log';
import { FirstAbort } from '../../../kernel/async/first-abort';
import type { JsonObject } from '../../../kernel/json/json';
import { mirroredName } from '../../../targets/mcp/protocol/methods';
import { headerParameterValues } from '../../../targets/mcp/protocol/param-headers';
import {
  type McpUpstream,
  type UpstreamAnswer,
  UpstreamFault,
  type UpstreamRequest,
} from '../../../targets/mcp/upstream';
import { McpCommandReader } from './command-reader';
import { approvedParams } from './call-hash';
import { inCallSpan } from './call-span';
import { undiscovered, withoutTasks } from '../http/capabilities';
import type { ClientAnswer } from '../client/client-answer';
import type { Admittance, Course } from './course';
import { MessageDelivery } from '../delivery/delivery';
import { type FailedRequestParts, FailedRequests } from './failed-requests';
import { InputRequests } from './input-requests';
import type { RequestingClient } from '../client/requesting-client';
import { McpResultReader } from './result-reader';
import type { ToolCallParts } from './tool-calls';
import type { UnfinishedRequest } from '../states/unfinished-requests';
import type { OfferedTool } from '../lists/tool-directory';

/** Services and state for the relay of one client's MCP session. */
export interface McpRelayParts extends ToolCallParts, FailedRequestParts {
  readonly upstream: McpUpstream;
  readonly log: CallLog;
  /** Aborts when the client's MCP session at the connection ends. */
  readonly over: AbortSignal;
}

/**
 * Handles the requests of one client at one connection, each in this order: check by policy and guardrails →
 * record → forward → screen the answer → record the answer → deliver.
 */
export class McpRelay {
  private readonly log = new Logger(McpRelay.name);
  private readonly commands: McpCommandReader;
  private readonly results: McpResultReader;
  private readonly inputs: InputRequests;
  private readonly failures: FailedRequests;
  private serial = 0;

  constructor(private readonly parts: McpRelayParts) {
    const delivery = new MessageDelivery(parts.session);
    this.inputs = new InputRequests(parts, delivery);
    this.failures = new FailedRequests(parts, delivery);
    this.commands = new McpCommandReader(parts);
    this.results = new McpResultReader(parts, delivery, this.inputs);
  }

  /**
   * Answers one request of the client. Never rejects.
   * @param resumes serial number of the earlier, admitted request that this request continues
   */
  async request(
    request: UpstreamRequest,
    client: RequestingClient,
    resumes?: number,
  ): Promise<{ readonly answer: ClientAnswer; readonly serial: number }> {
    const serial = ++this.serial;
    const began = performance.now();
    const at = new Date();
    const course: Course = { verdict: 'refused', reviewId: null, bytes: 0 };
    const wanted = new FirstAbort([client.signal, this.parts.over]);
    const { signal } = wanted;
    const answer = await this.answered(serial, request, { ...client, signal }, course, resumes).catch(
      (error: unknown) => this.failures.answer(serial, request, client, error, course.run),
    );
    wanted.release();
    this.parts.log.note({
      orgId: this.parts.principal.orgId,
      sessionId: this.parts.session.id,
      at,
      method: request.method,
      name: mirroredName(request.method, request.params) ?? null,
      verdict: course.verdict,
      reviewId: course.reviewId,
      durationMs: Math.round(performance.now() - began),
      resultBytes: course.bytes,
    });
    return { answer, serial };
  }

  /**
   * Admits a client's notification to the server: checks it by policy and guardrails, and records it.
   * @throws AppError as `McpCommandReader.admitNotification`
   */
  notifying(method: string, params: JsonObject): Promise<void> {
    return this.commands.admitNotification(++this.serial, { method, params });
  }

  /** Ends a request whose client gives no input; see `ServedVisit`. */
  abandon(serial: number, why: string): Promise<void> {
    return this.inputs.abandon(serial, why);
  }

  /** Delivers a change notice that belongs to no request. @throws RecordingFailed */
  changed(method: string, params: JsonObject, deliver: (params: JsonObject) => Promise<void>): Promise<void> {
    return this.results.changed(++this.serial, method, params, deliver);
  }

  private async answered(
    serial: number,
    request: UpstreamRequest,
    client: RequestingClient,
    course: Course,
    resumes: number | undefined,
  ): Promise<ClientAnswer> {
    const resumed = resumes === undefined ? undefined : this.inputs.resume(resumes);
    const admitted = await this.admitted(serial, request, client, course, resumed);
    if (admitted.kind === 'answered') return admitted.answer;
    const { tool, over = resumed?.over } = admitted;
    course.verdict = 'unknown';
    course.run = 'unknown';
    const forwarded = over === undefined ? request : { ...request, params: approvedParams(request.params) };
    const answer = await this.forward(serial, forwarded, client, tool).catch(async (error: unknown) => {
      // If it is unknown whether the call ran, its approval stays claimed, so that nobody repeats the call.
      if (error instanceof UpstreamFault && !error.mayHaveRun) {
        course.verdict = 'forwarded';
        course.run = undefined;
        await this.noteOver(over);
      }
      throw error;
    });
    course.verdict = 'forwarded';
    // Only a result proves that the call ran. An error or a request for input may come before the tool acts.
    if (answer.kind === 'result') course.run = 'ran';
    if (answer.kind !== 'input') await this.noteOver(over);
    const delivered = await this.results.answer(serial, forwarded, answer, tool, course, client);
    if (answer.kind !== 'input') return delivered;
    if (delivered.kind === 'input')
      this.inputs.suspend(serial, { request: forwarded, state: delivered.state, over });
    else await this.noteOver(over);
    return delivered;
  }

  /**
   * Notes on the review of an approved call that the call is over. If that fails, the answer of the server is
   * still recorded and delivered, and the outcome of the call stays unknown on its review.
   */
  private async noteOver(over: (() => Promise<void>) | undefined): Promise<void> {
    try {
      await over?.();
    } catch (error) {
      this.log.error({ err: error }, 'The end of an approved call could not be noted on its review');
    }
  }

  /** Admits a request. If it continues an earlier request and is refused, cancels the earlier request. */
  private async admitted(
    serial: number,
    request: UpstreamRequest,
    client: RequestingClient,
    course: Course,
    resumed: UnfinishedRequest | undefined,
  ): Promise<Admittance> {
    let admitted: Admittance | undefined;
    try {
      admitted = await this.commands.admit(serial, request, client, course, resumed !== undefined);
      return admitted;
    } finally {
      const { continuation } = request;
      if (continuation !== undefined && admitted?.kind !== 'admitted') {
        await this.inputs.cancel(request, continuation.state);
        await resumed?.over?.();
      }
    }
  }

  private async forward(
    serial: number,
    request: UpstreamRequest,
    client: RequestingClient,
    tool: OfferedTool | undefined,
  ): Promise<UpstreamAnswer> {
    if (request.method === 'server/discover') return this.discovered(client.signal);
    const paramHeaders =
      tool === undefined ? {} : headerParameterValues(tool.headers, request.params['arguments']);
    return inCallSpan(request.method, client.arrival.traceparent, (traceparent) =>
      this.parts.upstream.exchange(
        { ...request, paramHeaders, traceparent },
        {
          signal: client.signal,
          notify: (method, params) => this.results.notified(serial, method, params, client),
        },
      ),
    );
  }

  /** Returns the server's capabilities and description, without features that the gateway lacks. */
  private async discovered(signal: AbortSignal): Promise<UpstreamAnswer> {
    const { capabilities, serverInfo, instructions } = await this.parts.upstream
      .discover(signal)
      .catch(undiscovered);
    return {
      kind: 'result',
      result: {
        capabilities: withoutTasks(capabilities),
        ...(serverInfo === undefined ? {} : { serverInfo }),
        ...(instructions === undefined ? {} : { instructions }),
      },
    };
  }
}
