import { FAULT_MESSAGE } from '../../../gate/refusal';
import { AppError } from '../../../kernel/app-error';
import type { UpstreamRequest } from '../../../targets/mcp/upstream';
import type { RequestingClient } from '../client/requesting-client';
import type { Admittance, Course } from './course';
import { admitOther } from './other-requests';
import { type ToolCallParts, ToolCalls } from './tool-calls';

/**
 * Reads what clients send, and admits it: allowed, judged, recorded, and reviewed where that is required.
 * What is not admitted is answered here and does not reach the server.
 */
export class McpCommandReader {
  private readonly calls: ToolCalls;

  constructor(private readonly parts: ToolCallParts) {
    this.calls = new ToolCalls(parts);
  }

  /** @param isResumed whether the request continues one that was approved, so that nobody is asked again. */
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
   * Admits what gets no answer: judged and recorded.
   * @throws AppError `forbidden` with the words of the rule
   */
  async admitNotification(serial: number, request: UpstreamRequest): Promise<void> {
    const { session, target } = this.parts;
    const course: Course = { verdict: 'refused', reviewId: null, bytes: 0 };
    const admitted = await admitOther(session, target.now, serial, request, course);
    if (admitted.kind === 'admitted') return;
    const { answer } = admitted;
    throw new AppError('forbidden', answer.kind === 'error' ? answer.error.message : FAULT_MESSAGE);
  }
}
