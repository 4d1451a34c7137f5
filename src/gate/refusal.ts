import { AppError, type ErrorCode } from '../kernel/app-error';

/** Message for a failure of judging or recording: the gateway never forwards without either. */
export const FAULT_MESSAGE =
  'The gateway could not judge or record this, so it was refused. Please tell an administrator.';

/** Why an input was refused. `message` is for the person who sent it. */
export type InputRefusal = { readonly kind: 'refused'; readonly message: string } & (
  | { readonly reason: 'access' | 'guardrail' | 'fault' }
  | {
      /** It was not judged: too much waits to be judged, or it takes too long. */
      readonly reason: 'limit';
      readonly code: LimitCode;
      readonly retryAfterSeconds: number | undefined;
    }
);

/** The codes of errors of judging that concern the input or its time, not about the gateway. */
export type LimitCode = Extract<ErrorCode, 'too_many_requests' | 'unavailable' | 'unprocessable'>;

export function isLimit(code: ErrorCode): code is LimitCode {
  return code === 'too_many_requests' || code === 'unavailable' || code === 'unprocessable';
}

/** Nothing more of the stream may be delivered; `message` is delivered instead. */
export interface Blocked {
  readonly kind: 'blocked';
  readonly message: string;
}

/** The error of a protocol that answers refusals with errors. */
export function limitError({
  code,
  message,
  retryAfterSeconds,
}: InputRefusal & { readonly reason: 'limit' }): AppError {
  return new AppError(code, message, retryAfterSeconds === undefined ? undefined : { retryAfterSeconds });
}
