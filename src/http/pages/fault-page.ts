import type { Logger } from '@nestjs/common';
import type { Response } from 'express';
import { databaseOutage } from '../../database/outage';
import { wasRolledBack } from '../../database/retry';
import { AppError } from '../../kernel/app-error';
import { EdgeFault } from '../edge/edge-fault';
import { ERROR_STATUSES } from '../error-statuses';
import { PageFault } from './page-fault';
import { sendMessage } from './page';

const BUSY = 'A service that is needed for this page cannot be reached.';

/** Answers a fault with a page that says in plain sentences what is wrong. Unexpected ones are logged. */
export function answerPageFault(response: Response, error: unknown, log: Logger): void {
  if (response.headersSent) return void response.destroy();
  if (error instanceof PageFault) return sendMessage(response, error.status, error.title, error.message);
  if (error instanceof EdgeFault)
    return sendMessage(response, error.status, 'Not possible', sentence(error.message));
  if (databaseOutage(error) !== undefined || wasRolledBack(error))
    return sendMessage(response, 503, 'Please try again shortly', BUSY);
  if (error instanceof AppError && error.code !== 'internal') {
    const title = error.code === 'not_found' ? 'There is nothing here' : 'Not possible';
    return sendMessage(response, ERROR_STATUSES[error.code], title, sentence(error.message));
  }
  log.error({ err: error }, 'A page could not be answered');
  sendMessage(response, 500, 'Something went wrong', 'Internal error.');
}

function sentence(message: string): string {
  return `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;
}
