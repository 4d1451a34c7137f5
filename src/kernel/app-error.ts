/**
 * Every reason for which the gateway itself says no or fails. The union is closed: each edge (REST,
 * PostgreSQL, MCP) renders it by an exhaustive `Record<ErrorCode, …>`, so a new code does not compile
 * until every edge can say it.
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
 * A no or a fault that somebody outside is told about.
 *
 * `message` is one plain sentence that helps the caller; it never carries SQL, a stack, a class name or a
 * secret. What only operators may know goes into `cause`, which is logged and never sent.
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

  /** For `too_many_requests` and `unavailable`: when it is worth asking again. */
  readonly retryAfterSeconds: number | undefined;
}

/** The sentence of an unknown throwable, for logs. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
