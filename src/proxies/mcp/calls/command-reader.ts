import { FAULT_MESSAGE } from '../../../gate/refusal';
import { AppError } from '../../../kernel/app-error';
import type { UpstreamRequest } from '../../../targets/mcp/upstream';
import { GATEWAY_ERRORS } from '../http/refusals';
import type { RequestingClient } from '../client/requesting-client';
import type { Admittance, Course } from './course';
import { admitOther } from './other-requests';
import { type ToolCallParts, ToolCalls } from './tool-calls';

/**
 * Admits the messages of clients: checks each message by policy and guardrails, records it, and waits for a
 * review where one is required. Answers refused messages, which do not reach the server.
 */
export class McpCommandReader {
  private readonly calls: ToolCalls;

  constructor(private readonly parts: ToolCallParts) {
    this.calls = new ToolCalls(parts);
  }

  /** @param isResumed whether the request continues an approved one, so that it needs no new review */
  async admit(
    serial: number,
    request: UpstreamRequest,
    client: RequestingClient,
    course: Course,
    isResumed: boolean,
  ): Promise<Admittance> {
    const { session, target } = this.parts;
    await target.refresh();
    return request.method === 'tools/call'
      ? this.calls.admit(serial, request, client, course, isResumed)
      : admitOther(session, target.now, serial, request, course);
  }

  /**
   * Admits a message that gets no answer: checks it by policy and guardrails, and records it.
   * @throws AppError `forbidden` with the message of the rule; `unavailable` if it could not be judged
   */
  async admitNotification(serial: number, request: UpstreamRequest): Promise<void> {
    const { session, target } = this.parts;
    const course: Course = { verdict: 'refused', reviewId: null, bytes: 0 };
    const admitted = await admitOther(session, target.now, serial, request, course);
    if (admitted.kind === 'admitted') return;
    const { answer } = admitted;
    if (answer.kind !== 'error') throw new AppError('unavailable', FAULT_MESSAGE);
    const { code, message } = answer.error;
    const isUnjudged = code === GATEWAY_ERRORS.refused && course.verdict !== 'blocked';
    throw new AppError(isUnjudged ? 'unavailable' : 'forbidden', message);
  }
}
