import { AppError, type ErrorCode } from '../kernel/app-error';

/** Message for data that the gateway failed to judge by its rules or to record, and so did not forward. */
export const FAULT_MESSAGE =
  'The gateway could not judge or record this, so it was refused. Please tell an administrator.';

/** Why an input was refused. `message` is for the person who sent it. */
export type InputRefusal = { readonly kind: 'refused'; readonly message: string } & (
  | { readonly reason: 'access' | 'guardrail' | 'fault' }
  | {
      /** The input was not judged, because too many texts wait or because judging takes too long. */
      readonly reason: 'limit';
      readonly code: LimitCode;
      readonly retryAfterSeconds: number | undefined;
    }
);

/** Error codes for a text that was not judged because of a limit. This is not a fault of the gateway. */
export type LimitCode = Extract<ErrorCode, 'too_many_requests' | 'unavailable' | 'unprocessable'>;

export function isLimit(code: ErrorCode): code is LimitCode {
  return code === 'too_many_requests' || code === 'unavailable' || code === 'unprocessable';
}

/** Result when nothing more of a stream may be delivered; `message` is delivered instead. */
export interface Blocked {
  readonly kind: 'blocked';
  readonly message: string;
}

/** Returns the error for a `limit` refusal, for protocols that answer with errors. */
export function limitError({
  code,
  message,
  retryAfterSeconds,
}: InputRefusal & { readonly reason: 'limit' }): AppError {
  return new AppError(code, message, retryAfterSeconds === undefined ? undefined : { retryAfterSeconds });
}
