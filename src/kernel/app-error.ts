/**
 * Every reason for which the gateway refuses a request or fails. The union is closed: each protocol (REST,
 * PostgreSQL, MCP) maps the codes to its own errors in an exhaustive `Record<ErrorCode, …>`, so a new code
 * does not compile until every protocol handles it.
 */
export type ErrorCode =
  | 'malformed'
  | 'unauthenticated'
  | 'forbidden'
  | 'not_found'
  | 'conflict'
  | 'precondition_failed'
  | 'payload_too_large'
  | 'unprocessable'
  | 'too_many_requests'
  | 'internal'
  | 'unavailable';

/**
 * A refusal or a fault that is reported to the caller.
 *
 * `message` is one plain sentence that helps the caller. It never contains SQL, a stack, a class name or a
 * secret. Details for operators go into `cause`, which is logged and never sent.
 */
export class AppError extends Error {
  constructor(
    readonly code: ErrorCode,
    message: string,
    options?: { cause?: unknown; retryAfterSeconds?: number },
  ) {
    super(message, options?.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'AppError';
    this.retryAfterSeconds = options?.retryAfterSeconds;
  }

  /** Seconds after which the caller should try again; set for `too_many_requests` and `unavailable`. */
  readonly retryAfterSeconds: number | undefined;
}

/** Returns the error of a process that is stopping. Another process answers when the caller tries again. */
export function stoppingError(): AppError {
  return new AppError('unavailable', 'this gateway is stopping', { retryAfterSeconds: 1 });
}

/** The message of an unknown thrown value, for logs. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Whether an error means that a service does not answer properly now, which is not a refusal. */
export function isUnavailable(error: unknown): boolean {
  return error instanceof AppError && error.code === 'unavailable';
}
