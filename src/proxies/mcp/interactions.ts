import { Logger } from '@nestjs/common';
import type { CallLog } from '../../gate/ports/call-log';
import { FAULT_MESSAGE } from '../../gate/refusal';
import { AppError } from '../../kernel/app-error';
import { FirstAbort } from '../../kernel/first-abort';
import type { JsonObject } from '../../kernel/json/json';
import { CAPABILITY_OF_REQUEST, mirroredName } from '../../targets/mcp/protocol/methods';
import { headerParameterValues } from '../../targets/mcp/protocol/param-headers';
import { RPC_ERRORS } from '../../targets/mcp/protocol/rpc-errors';
import {
  type McpUpstream,
  type UpstreamAnswer,
  UpstreamFault,
  type UpstreamFaultReason,
  type UpstreamRequest,
} from '../../targets/mcp/upstream';
import { withoutTasks } from './capabilities';
import type { Course } from './course';
import { MessageDelivery } from './delivery';
import { shownList } from './lists';
import { admitOther } from './other-requests';
import { GATEWAY_ERRORS, errorAnswer, toolError } from './policy-errors';
import type { RequestingClient } from './requesting-client';
import { type ToolCallParts, ToolCalls } from './tool-calls';
import type { OfferedTool } from './tool-directory';

/** Faults after which a call may have run, or may not. */
const MAY_HAVE_RUN: ReadonlySet<UpstreamFaultReason> = new Set([
  'lost',
  'cancelled',
  'malformed',
  'too_large',
]);

/** What the interactions of a visit need. */
export interface InteractionParts extends ToolCallParts {
  readonly upstream: McpUpstream;
  readonly log: CallLog;
  /** Aborts when the visit is over. */
  readonly over: AbortSignal;
  /** The connection is not open to the principal any more, or not there: the visit must end. */
  withdrawn(why: string): void;
  /** The server could not be reached. */
  unreachable(): void;
}

/** The order of the data path for the requests of one visit: judge → record → forward → screen → record → deliver. */
export class Interactions {
  private readonly log = new Logger(Interactions.name);
  private readonly delivery: MessageDelivery;
  private readonly calls: ToolCalls;
  private serial = 0;

  constructor(private readonly parts: InteractionParts) {
    this.delivery = new MessageDelivery(parts.session);
    this.calls = new ToolCalls(parts);
  }

  /**
   * Answers one request of the client. Never rejects.
   * @param resumes the serial number of the request that this one continues; it was judged and approved.
   */
  async request(
    request: UpstreamRequest,
    client: RequestingClient,
    resumes?: number,
  ): Promise<{ readonly answer: UpstreamAnswer; readonly serial: number }> {
    const serial = ++this.serial;
    const began = performance.now();
    const at = new Date();
    const course: Course = { verdict: 'refused', reviewId: null, bytes: 0 };
    const wanted = new FirstAbort([client.signal, this.parts.over]);
    const { signal } = wanted;
    const answer = await this.answered(serial, request, { ...client, signal }, course, resumes).catch(
      (error: unknown) => this.failed(error, client),
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
   * Admits a subscription: its resources are names that go to the server.
   * @throws AppError `forbidden` with the words of the rule
   */
  async subscribing(notifications: JsonObject): Promise<void> {
    const request = { method: 'subscriptions/listen', params: { notifications } };
    const course: Course = { verdict: 'refused', reviewId: null, bytes: 0 };
    const { session, target } = this.parts;
    const admitted = await admitOther(session, target.now, ++this.serial, request, course);
    if (admitted.kind === 'answered')
      throw new AppError(
        'forbidden',
        admitted.answer.kind === 'error' ? admitted.answer.error.message : FAULT_MESSAGE,
      );
  }

  /** Delivers a change notice, which belongs to no request. @throws RecordingFailed */
  async changed(
    method: string,
    params: JsonObject,
    deliver: (params: JsonObject) => Promise<void>,
  ): Promise<void> {
    const delivered = await this.delivery.message(++this.serial, 'params', params, { method });
    if (delivered.kind === 'deliver') await deliver(delivered.value);
  }

  private async answered(
    serial: number,
    request: UpstreamRequest,
    client: RequestingClient,
    course: Course,
    resumes: number | undefined,
  ): Promise<UpstreamAnswer> {
    await this.parts.target.refresh();
    const admitted =
      request.method === 'tools/call'
        ? await this.calls.admit(serial, request, client, course, resumes)
        : await admitOther(this.parts.session, this.parts.target.now, serial, request, course);
    if (admitted.kind === 'answered') return admitted.answer;
    const { tool, over } = admitted;
    course.verdict = 'unknown';
    const answer = await this.forward(serial, request, client, tool).catch(async (error: unknown) => {
      // Whether a lost call ran is not known: its approval is used, and nobody repeats it.
      if (error instanceof UpstreamFault && !MAY_HAVE_RUN.has(error.reason)) {
        course.verdict = 'forwarded';
        await over?.();
      }
      throw error;
    });
    course.verdict = 'forwarded';
    if (answer.kind === 'input') this.calls.suspend(serial, over);
    else await over?.();
    return this.deliver(serial, request, answer, tool, course);
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
    return this.parts.upstream.exchange(
      { ...request, paramHeaders },
      { signal: client.signal, notify: (method, params) => this.notified(serial, method, params, client) },
    );
  }

  /** What the server offers, without what the gateway does not support. */
  private async discovered(signal: AbortSignal): Promise<UpstreamAnswer> {
    const { capabilities, serverInfo, instructions } = await this.parts.upstream.discover(signal);
    return {
      kind: 'result',
      result: {
        capabilities: withoutTasks(capabilities),
        ...(serverInfo === undefined ? {} : { serverInfo }),
        ...(instructions === undefined ? {} : { instructions }),
      },
    };
  }

  private async deliver(
    serial: number,
    request: UpstreamRequest,
    answer: UpstreamAnswer,
    tool: OfferedTool | undefined,
    course: Course,
  ): Promise<UpstreamAnswer> {
    const { method } = request;
    switch (answer.kind) {
      case 'error': {
        const delivered = await this.delivery.message(serial, 'error', answer.error);
        if (delivered.kind === 'deliver') return { kind: 'error', error: delivered.value };
        course.verdict = 'blocked';
        return errorAnswer(answer.error.code, delivered.message);
      }
      case 'input':
        return this.deliverInput(serial, request, answer);
      case 'result': {
        const target = this.parts.target.now;
        const result = await shownList(method, answer.result, target, this.parts.tools);
        const delivered = await this.delivery.message(serial, 'result', result, {
          schema: tool?.definition['outputSchema'],
          maxBytes: target.mcp?.resultBytes ?? null,
        });
        if (delivered.kind === 'deliver') {
          course.bytes = delivered.bytes;
          return { kind: 'result', result: delivered.value };
        }
        course.verdict = 'blocked';
        return method === 'tools/call'
          ? toolError(delivered.message)
          : errorAnswer(GATEWAY_ERRORS.refused, delivered.message);
      }
    }
  }

  /** Delivers requests of the server to the client, if the policy allows them. */
  private async deliverInput(
    serial: number,
    request: UpstreamRequest,
    answer: UpstreamAnswer & { readonly kind: 'input' },
  ): Promise<UpstreamAnswer> {
    const allowed: readonly string[] = this.parts.target.now.mcp?.serverRequests ?? [];
    const requests: Record<string, { method: string; params?: JsonObject }> = {};
    for (const [key, { method, params = {} }] of Object.entries(answer.requests)) {
      const kind = CAPABILITY_OF_REQUEST[method];
      if (kind === undefined || !allowed.includes(kind)) {
        await this.abandon(request, answer);
        const { message } = await this.delivery.refused(
          `The server asked for ${kind ?? 'something unknown'} during the call, which this connection does not allow (mcp_policy.server_requests).`,
        );
        return errorAnswer(GATEWAY_ERRORS.refused, message);
      }
      const delivered = await this.delivery.message(serial, 'params', params, { method });
      if (delivered.kind === 'blocked') {
        await this.abandon(request, answer);
        return errorAnswer(GATEWAY_ERRORS.refused, delivered.message);
      }
      requests[key] = { method, params: delivered.value };
    }
    return { ...answer, requests };
  }

  /** Cancels a call that waits at a legacy server for an answer that will not come. */
  private async abandon(
    request: UpstreamRequest,
    { state }: UpstreamAnswer & { kind: 'input' },
  ): Promise<void> {
    const continuation = { state, responses: {} };
    const on = { signal: AbortSignal.abort(), notify: () => undefined };
    await this.parts.upstream.exchange({ ...request, continuation }, on).catch(() => undefined);
  }

  /** A notification that belongs to a request. A blocked one is left out: the recording says so. */
  private async notified(
    serial: number,
    method: string,
    params: JsonObject,
    client: RequestingClient,
  ): Promise<void> {
    const delivered = await this.delivery.message(serial, 'params', params, { method });
    if (delivered.kind === 'deliver') await client.notify(method, delivered.value);
  }

  private async failed(error: unknown, { arrival }: RequestingClient): Promise<UpstreamAnswer> {
    const { session } = this.parts;
    if (session.ended.aborted)
      return errorAnswer(GATEWAY_ERRORS.refused, (session.ended.reason as Error).message);
    if (error instanceof AppError && error.code === 'not_found') {
      this.parts.withdrawn(error.message);
      return errorAnswer(GATEWAY_ERRORS.notFound, error.message);
    }
    if (!(error instanceof UpstreamFault)) {
      this.log.error(
        { err: error, session: session.id, req: { id: arrival.requestId } },
        'A request of an MCP client could not be answered',
      );
      return errorAnswer(RPC_ERRORS.internalError, FAULT_MESSAGE);
    }
    if (error.reason === 'unreachable') this.parts.unreachable();
    await this.delivery.refused(error.message).catch(() => undefined);
    return errorAnswer(GATEWAY_ERRORS.upstream, error.message);
  }
}
