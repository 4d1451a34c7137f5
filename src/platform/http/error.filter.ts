import {
  type ArgumentsHost,
  Catch,
  type ExceptionFilter,
  HttpException,
  Logger,
  NotFoundException,
} from '@nestjs/common';
import type { Request, Response } from 'express';
import { isUnstorable } from '../database/faults/constraint';
import { passingFault } from '../database/faults/passing-fault';
import { AppError } from '../../kernel/app-error';
import { wrongMethod } from './edge/allowed-methods';
import { EdgeFault } from './edge/edge-fault';
import { ERROR_STATUSES } from './edge/error-statuses';
import { bounded } from './dto/fault-message';

/** Messages for errors whose own message is not meant for the caller. */
const plainWords: Record<number, string> = {
  400: 'the request is malformed',
};

/**
 * The only place where a thrown error becomes an HTTP answer: `{ "message": string }`, never SQL, a stack or
 * a class name. An unexpected error is logged with the request and answered as 500.
 */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  private readonly log = new Logger(ErrorFilter.name);

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<Request>();
    const response = http.getResponse<Response>();
    const error = answeredError(thrown, request);
    // The caller disconnected during a download, so there is no one to answer.
    if ((error as { code?: unknown } | null)?.code === 'ERR_STREAM_PREMATURE_CLOSE') return;
    const { status, message } = this.describe(error);
    if (response.headersSent) {
      // The stream broke after a part was sent. Only a closed connection shows this to the caller.
      response.destroy();
      return;
    }
    // Even if the route's answers may be cached, a refusal must not be.
    response.setHeader('Cache-Control', 'no-store');
    if (status === 401) response.setHeader('WWW-Authenticate', 'Bearer');
    if (error instanceof AppError && error.retryAfterSeconds !== undefined) {
      response.setHeader('Retry-After', String(error.retryAfterSeconds));
    }
    if (error instanceof EdgeFault) response.set(error.headers);
    // The caller asked for permission to send its body, so the gateway cannot know whether the body follows.
    if (request.headers.expect !== undefined) response.setHeader('Connection', 'close');
    response.status(status).json({ message: bounded(message) });
  }

  private describe(error: unknown): { status: number; message: string } {
    if (error instanceof AppError) {
      if (error.cause !== undefined) this.log.warn({ err: error.cause }, error.message);
      return { status: ERROR_STATUSES[error.code], message: error.message };
    }
    if (error instanceof EdgeFault) return error;
    const status = error instanceof HttpException ? error.getStatus() : clientFaultStatus(error);
    const words = status === undefined ? undefined : plainWords[status];
    if (status !== undefined && words !== undefined) {
      return { status, message: words };
    }
    if (isUnstorable(error)) {
      return { status: 400, message: 'the request contains NUL characters, which are not allowed' };
    }
    this.log.error({ err: error }, 'A request failed');
    return { status: 500, message: 'internal error' };
  }
}

/** The error that the caller gets, in place of the thrown one. */
function answeredError(thrown: unknown, request: Request): unknown {
  if (thrown instanceof NotFoundException) return noSuchRoute(request);
  return passingFault(thrown) ?? thrown;
}

/** Returns the error for a request without a matching route: wrong method if the path exists, else 404. */
function noSuchRoute(request: Request): AppError | EdgeFault {
  return wrongMethod(request) ?? new AppError('not_found', 'no such route');
}

/**
 * Returns the status of an error of the router, if it is 4xx. The router throws such http-errors for paths
 * that are not valid UTF-8, which is the caller's fault.
 */
function clientFaultStatus(error: unknown): number | undefined {
  const status = (error as { status?: unknown } | null)?.status;
  return typeof status === 'number' && status >= 400 && status < 500 ? status : undefined;
}
