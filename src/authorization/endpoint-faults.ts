import type { Response } from 'express';
import { databaseOutage } from '../database/outage';
import { wasRolledBack } from '../database/retry';
import { EdgeFault } from '../http/edge/edge-fault';
import { AppError } from '../kernel/app-error';
import { PageFault } from '../http/pages/page-fault';
import { OAuthFault, type OAuthErrorCode, RedirectedFault } from './oauth-fault';
import { sendMessage } from '../http/pages/page';
import { redirectTo } from './redirect-uri';

/** How a fault is answered, to a person or to a client. */
interface FaultAnswer {
  readonly status: number;
  readonly code: OAuthErrorCode;
  readonly title: string;
  readonly message: string;
  readonly retryAfterSeconds?: number | undefined;
}

/** Answers a person in the browser: at the client if its address is known, else with a page. */
export function answerPerson(response: Response, error: unknown, issuer: string): void {
  if (error instanceof RedirectedFault) {
    const { redirectUri, clientState } = error.back;
    const parameters = {
      error: error.code,
      error_description: error.message,
      state: clientState,
      iss: issuer,
    };
    return redirect(response, redirectTo(redirectUri, parameters));
  }
  if (error instanceof PageFault) return sendMessage(response, error.status, error.title, error.message);
  const { status, title, message, retryAfterSeconds } = describe(error);
  retryAfter(response, retryAfterSeconds);
  sendMessage(response, status, title, message);
}

/** Answers a client (RFC 6749, section 5.2). */
export function answerClient(response: Response, error: unknown): void {
  const { status, code, message, retryAfterSeconds } = describe(error);
  retryAfter(response, retryAfterSeconds);
  response.status(status).set('Cache-Control', 'no-store').json({ error: code, error_description: message });
}

/** Not Express's `redirect`: its body would repeat the URL, which contains the code. */
export function redirect(response: Response, url: string): void {
  response.status(303).set('Cache-Control', 'no-store').location(url).end();
}

/** Whether somebody who runs the gateway has to look at it. */
export function isUnexpected(error: unknown): boolean {
  return describe(error).status === 500;
}

function describe(error: unknown): FaultAnswer {
  if (error instanceof OAuthFault)
    return {
      status: 400,
      code: error.code,
      title: 'The request of this application is not valid',
      message: `${error.message.charAt(0).toUpperCase()}${error.message.slice(1)}.`,
    };
  if (error instanceof EdgeFault)
    return { status: error.status, code: 'invalid_request', title: 'Not possible', message: error.message };
  if (error instanceof AppError && error.code === 'too_many_requests')
    return {
      status: 429,
      code: 'slow_down',
      title: 'Too many requests',
      message: error.message,
      retryAfterSeconds: error.retryAfterSeconds,
    };
  const isBusy =
    (error instanceof AppError && error.code === 'unavailable') ||
    databaseOutage(error) !== undefined ||
    wasRolledBack(error);
  if (isBusy)
    return {
      status: 503,
      code: 'temporarily_unavailable',
      title: 'Please try again shortly',
      message: 'A service that is needed to sign in cannot be reached.',
      retryAfterSeconds: 5,
    };
  return { status: 500, code: 'server_error', title: 'Something went wrong', message: 'Internal error.' };
}

function retryAfter(response: Response, seconds: number | undefined): void {
  if (seconds !== undefined) response.set('Retry-After', String(seconds));
}
