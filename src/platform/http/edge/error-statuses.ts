import type { ErrorCode } from '../../../kernel/app-error';

/** HTTP status of each error, for all parts that answer over HTTP. */
export const ERROR_STATUSES: Readonly<Record<ErrorCode, number>> = {
  malformed: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  precondition_failed: 412,
  payload_too_large: 413,
  unprocessable: 422,
  too_many_requests: 429,
  internal: 500,
  unavailable: 503,
};
