/**
 * Outcomes of a call. `forwarded`: sent to the target. `refused`: not allowed. `pending`: waits for a review.
 * `blocked`: a guardrail hit. `unknown`: sent, but it is not known whether it ran.
 */
export const CALL_VERDICTS = ['forwarded', 'refused', 'pending', 'blocked', 'unknown'] as const;
export type CallVerdict = (typeof CALL_VERDICTS)[number];

/** A request of a client to an MCP server, logged when the request has ended. */
export interface LoggedCall {
  readonly orgId: string;
  readonly sessionId: string;
  readonly at: Date;
  /** MCP method: `tools/call`, `resources/read`, … */
  readonly method: string;
  /** Name of the tool or prompt, URI of the resource; null where the method has none. */
  readonly name: string | null;
  readonly verdict: CallVerdict;
  readonly reviewId: string | null;
  readonly durationMs: number;
  /** Bytes of the result; 0 where there was none. */
  readonly resultBytes: number;
}

/**
 * Port: stores an overview of a session's calls. It is no evidence; only the recording is, because it
 * contains each message.
 */
export abstract class CallLog {
  /** Logs a call. Returns at once and never throws. Calls are stored in batches, within a second. */
  abstract note(call: LoggedCall): void;
}
