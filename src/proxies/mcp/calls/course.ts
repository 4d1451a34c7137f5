import type { CallVerdict } from '../../../gate/ports/call-log';
import type { ClientAnswer } from '../client/client-answer';
import type { OfferedTool } from '../lists/tool-directory';

/** The outcome of a request so far, for the overview of calls. */
export interface Course {
  verdict: CallVerdict;
  reviewId: string | null;
  /** Bytes of the result. */
  bytes: number;
}

/** Whether a request goes on to the server, or what the gateway answers itself. */
export type Admittance =
  | {
      readonly kind: 'admitted';
      /** The tool that is called. */
      readonly tool?: OfferedTool;
      /** Must be called once an approved call is over. */
      readonly over?: (() => Promise<void>) | undefined;
    }
  | { readonly kind: 'answered'; readonly answer: ClientAnswer };

export function answeredBy(answer: ClientAnswer): Admittance {
  return { kind: 'answered', answer };
}
