import type { Logger } from '@nestjs/common';
import type { Response } from 'express';
import { passingFault } from '../../database/faults/passing-fault';
import { schemaFaultOf } from '../../database/faults/schema-fault';
import { AppError, type ErrorCode, isUnavailable } from '../../../kernel/app-error';
import { EdgeFault } from '../edge/edge-fault';
import { ERROR_STATUSES } from '../edge/error-statuses';
import { PageFault } from './page-fault';
import { sendMessage } from './page';

const BUSY = 'A service that is needed for this page cannot be reached.';
const BUSY_SECONDS = 5;

/** A fault as a page shows it to a person. */
export interface DescribedFault {
  readonly status: number;
  readonly title: string;
  /** Plain sentences. */
  readonly message: string;
  readonly retryAfterSeconds?: number | undefined;
}

const TITLES: Partial<Record<ErrorCode, string>> = {
  not_found: 'There is nothing here',
  too_many_requests: 'Too many requests',
};

/** Describes a fault for a page. Only status 500 means that an operator has to look at it. */
export function faultForPeople(error: unknown): DescribedFault {
  if (error instanceof PageFault) return error;
  if (error instanceof EdgeFault)
    return { status: error.status, title: 'Not possible', message: sentence(error.message) };
  if (schemaFaultOf(error) !== undefined) return otherSchema(error);
  if (isUnavailable(error) || passingFault(error) !== undefined)
    return {
      status: 503,
      title: 'Please try again shortly',
      message: BUSY,
      retryAfterSeconds: BUSY_SECONDS,
    };
  if (error instanceof AppError && error.code !== 'internal')
    return {
      status: ERROR_STATUSES[error.code],
      title: TITLES[error.code] ?? 'Not possible',
      message: sentence(error.message),
      retryAfterSeconds: error.retryAfterSeconds,
    };
  return { status: 500, title: 'Something went wrong', message: 'Internal error.' };
}

/** Describes a fault of the database schema. A quick retry does not help: the gateway needs an upgrade. */
function otherSchema(error: unknown): DescribedFault {
  const { message = BUSY, retryAfterSeconds = BUSY_SECONDS } = passingFault(error) ?? {};
  return { status: 503, title: 'Please try again later', message: sentence(message), retryAfterSeconds };
}

/** Answers with a page that describes the fault in plain sentences. */
export function sendFault(response: Response, fault: DescribedFault): void {
  const { status, title, message, retryAfterSeconds } = fault;
  if (retryAfterSeconds !== undefined) response.set('Retry-After', String(retryAfterSeconds));
  sendMessage(response, status, title, message);
}

/** Answers with a page that describes any error. Logs unexpected errors. */
export function answerPageFault(response: Response, error: unknown, log: Logger): void {
  if (response.headersSent) return void response.destroy();
  const fault = faultForPeople(error);
  if (fault.status === 500) log.error({ err: error }, 'A page could not be answered');
  sendFault(response, fault);
}

export function sentence(message: string): string {
  return `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;
}
