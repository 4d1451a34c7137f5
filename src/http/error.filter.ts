import {
  type ArgumentsHost,
  Catch,
  type ExceptionFilter,
  HttpException,
  Logger,
  NotFoundException,
} from '@nestjs/common';
import type { Request, Response } from 'express';
import { isUnstorable } from '../database/constraint';
import { databaseOutage } from '../database/outage';
import { wasTakenBack } from '../database/retry';
import { AppError, type ErrorCode } from '../kernel/app-error';
import { allowedMethods } from './edge/allowed-methods';
import { EdgeFault } from './edge/edge-fault';
import { bounded } from './fault-message';

const statusOf: Record<ErrorCode, number> = {
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

/** What may be said of a fault whose own words are not meant for the caller. */
const plainWords: Record<number, string> = {
  400: 'the request is malformed',
};

/**
 * The one place where a throw becomes an HTTP answer: `{ "message": string }`, never SQL, a stack or a
 * class name. What was not meant for the caller is logged with the request and answered as 500.
 */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  private readonly log = new Logger(ErrorFilter.name);

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<Request>();
    const response = http.getResponse<Response>();
    const error = toTell(thrown, request);
    // The caller went away in the middle of a download: nobody is left to tell.
    if ((error as { code?: unknown } | null)?.code === 'ERR_STREAM_PREMATURE_CLOSE') return;
    const { status, message } = this.describe(error);
    if (response.headersSent) {
      // A stream broke half-way; cutting the connection is the only honest sign left.
      response.destroy();
      return;
    }
    // Whatever the route says of its answers: a cache must not keep a refusal.
    response.setHeader('Cache-Control', 'no-store');
    if (status === 401) response.setHeader('WWW-Authenticate', 'Bearer');
    if (error instanceof AppError && error.retryAfterSeconds !== undefined) {
      response.setHeader('Retry-After', String(error.retryAfterSeconds));
    }
    if (error instanceof EdgeFault) response.set(error.headers);
    // Its caller waits to be told whether to send the body, and nothing tells whether it still comes.
    if (request.headers.expect !== undefined) response.setHeader('Connection', 'close');
    response.status(status).json({ message: bounded(message) });
  }

  private describe(error: unknown): { status: number; message: string } {
    if (error instanceof AppError) {
      if (error.cause !== undefined) this.log.warn({ err: error.cause }, error.message);
      return { status: statusOf[error.code], message: error.message };
    }
    if (error instanceof EdgeFault) return error;
    const status = error instanceof HttpException ? error.getStatus() : clientFaultStatus(error);
    const words = status === undefined ? undefined : plainWords[status];
    if (status !== undefined && words !== undefined) {
      return { status, message: words };
    }
    if (isUnstorable(error)) {
      return { status: 400, message: 'the request holds NUL characters, which nothing here is named with' };
    }
    const outage = databaseOutage(error);
    if (outage !== undefined) {
      this.log.warn({ err: error }, `The database ${outage}`);
      return { status: 503, message: 'the database cannot be reached, try again shortly' };
    }
    this.log.error({ err: error }, 'A request failed');
    return { status: 500, message: 'internal error' };
  }
}

/** What the caller is told of, in place of what was thrown. */
function toTell(thrown: unknown, request: Request): unknown {
  if (thrown instanceof NotFoundException) return noSuchRoute(request);
  return wasTakenBack(thrown) ? busy(thrown) : thrown;
}

/** Tried several times already (src/database/retry.ts). */
function busy(cause: unknown): AppError {
  const message = 'others are changing the same things just now, try again shortly';
  return new AppError('unavailable', message, { cause, retryAfterSeconds: 1 });
}

/** Nest throws it when no route answers: because of the path, or because of the method alone. */
function noSuchRoute(request: Request): AppError | EdgeFault {
  const allowed = allowedMethods(request).join(', ');
  if (allowed === '') return new AppError('not_found', 'no such route');
  return new EdgeFault(405, `the route takes ${allowed}, not ${request.method}`, { Allow: allowed });
}

/** The router throws http-errors, for paths that are no UTF-8: those with a 4xx status are the caller's. */
function clientFaultStatus(error: unknown): number | undefined {
  const status = (error as { status?: unknown } | null)?.status;
  return typeof status === 'number' && status >= 400 && status < 500 ? status : undefined;
}
