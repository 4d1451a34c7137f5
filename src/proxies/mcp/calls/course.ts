import type { CallVerdict } from '../../../gate/ports/call-log';
import type { ClientAnswer } from '../client/client-answer';
import type { OfferedTool } from '../lists/tool-directory';

/** The outcome of a request so far, for the call log. */
export interface Course {
  verdict: CallVerdict;
  reviewId: string | null;
  /** Size of the result in bytes. */
  bytes: number;
  /**
   * Whether the server ran the request. If the request fails, the answer contains this, because the client
   * may repeat the request. Undefined while the request was certainly not sent.
   */
  run?: 'unknown' | 'ran' | undefined;
}

/** Decision on a client's request: it is forwarded to the server, or the gateway itself answers it. */
export type Admittance =
  | {
      readonly kind: 'admitted';
      /** The called tool; absent if the request calls no tool. */
      readonly tool?: OfferedTool;
      /** Set for an approved call. Must be called when the call is over. */
      readonly over?: (() => Promise<void>) | undefined;
    }
  | { readonly kind: 'answered'; readonly answer: ClientAnswer };

export function answeredBy(answer: ClientAnswer): Admittance {
  return { kind: 'answered', answer };
}
