import type { Session } from '../../../gate/session';
import type { Target } from '../../../gate/ports/target-directory';
import type { JsonObject } from '../../../kernel/json/json';
import type { UpstreamAnswer, UpstreamRequest } from '../../../targets/mcp/upstream';
import type { RequestingClient } from '../client/requesting-client';
import type { MessageDelivery } from '../delivery/delivery';
import { GATEWAY_ERRORS, errorAnswer, toolError } from '../http/refusals';
import type { VisitTarget } from '../lists/current-targets';
import { isAllowedUri } from '../lists/globs';
import { advancing } from '../lists/list-walk';
import { shownList } from '../lists/lists';
import type { OfferedTool, ToolDirectory } from '../lists/tool-directory';
import type { Course } from './course';
import type { InputRequests } from './input-requests';

/** Session, target and known tools with which the answers of a server are read. */
export interface ResultParts {
  readonly session: Session;
  readonly target: VisitTarget;
  readonly tools: ToolDirectory;
}

/** Screens, records and delivers the messages of a server. Removes items that the policy hides. */
export class McpResultReader {
  constructor(
    private readonly parts: ResultParts,
    private readonly delivery: MessageDelivery,
    private readonly inputs: InputRequests,
  ) {}

  /** Screens, records and delivers the answer to a request. @throws RecordingFailed, or a rule's own error */
  async answer(
    serial: number,
    request: UpstreamRequest,
    answer: UpstreamAnswer,
    tool: OfferedTool | undefined,
    course: Course,
    client: RequestingClient,
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
        return this.inputs.deliver(serial, request, answer, client);
      case 'result': {
        const target = this.parts.target.now;
        const whole = await advancing(method, answer.result, client.walk, this.delivery);
        const result = await shownList(method, whole, target, this.parts.tools);
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

  /** Delivers a notification that belongs to a request. Drops it if it is blocked, and records that. */
  async notified(
    serial: number,
    method: string,
    params: JsonObject,
    client: RequestingClient,
  ): Promise<void> {
    const { tools, target } = this.parts;
    if (method === 'notifications/tools/list_changed') tools.forget();
    if (!isShown(target.now, method, params)) return;
    const delivered = await this.delivery.message(serial, 'params', params, { method });
    if (delivered.kind === 'deliver') await client.notify(method, delivered.value);
  }

  /**
   * Delivers a change notice that belongs to no request.
   * @throws RecordingFailed; AppError `not_found` if the connection is no longer open to the principal
   */
  async changed(
    serial: number,
    method: string,
    params: JsonObject,
    deliver: (params: JsonObject) => Promise<void>,
  ): Promise<void> {
    const { target, session } = this.parts;
    // The policy and the guardrails may have changed since the last message of the client.
    await target.refresh();
    await session.askForRules();
    if (!isShown(target.now, method, params)) return;
    const delivered = await this.delivery.message(serial, 'params', params, { method });
    if (delivered.kind === 'deliver') await deliver(delivered.value);
  }
}

/** Whether the policy allows a notification. Updates of resources that the policy denies are not shown. */
function isShown({ mcp }: Target, method: string, { uri }: JsonObject): boolean {
  if (mcp === null || method !== 'notifications/resources/updated') return true;
  return typeof uri === 'string' && isAllowedUri(mcp.resources, uri);
}
