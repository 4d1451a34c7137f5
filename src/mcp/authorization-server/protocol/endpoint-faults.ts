import type { Response } from 'express';
import {
  type DescribedFault,
  faultForPeople,
  sendFault,
  sentence,
} from '../../../platform/http/pages/fault-page';
import { OAuthFault, type OAuthErrorCode, RedirectedFault } from './oauth-fault';
import { redirectTo } from './redirect-uri';

/** OAuth error code for each HTTP status of a fault. */
const CODES: Readonly<Record<number, OAuthErrorCode>> = {
  429: 'slow_down',
  500: 'server_error',
  503: 'temporarily_unavailable',
};

/** Reports an error to a person: redirects to the client if its URI was checked, otherwise sends a page. */
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
  sendFault(response, describe(error));
}

/** Sends an error to a client as JSON (RFC 6749, section 5.2). */
export function answerClient(response: Response, error: unknown): void {
  const { status, message, retryAfterSeconds } = describe(error);
  const code = error instanceof OAuthFault ? error.code : (CODES[status] ?? 'invalid_request');
  if (retryAfterSeconds !== undefined) response.set('Retry-After', String(retryAfterSeconds));
  response.status(status).set('Cache-Control', 'no-store').json({ error: code, error_description: message });
}

/** Redirects without Express's `redirect`, whose body would repeat the URL with its authorization code. */
export function redirect(response: Response, url: string): void {
  response.status(303).set('Cache-Control', 'no-store').location(url).end();
}

/** Whether an operator of the gateway has to examine the error. */
export function isUnexpected(error: unknown): boolean {
  return describe(error).status === 500;
}

function describe(error: unknown): DescribedFault {
  if (!(error instanceof OAuthFault)) return faultForPeople(error);
  return {
    status: 400,
    title: 'The request of this application is not valid',
    message: sentence(error.message),
  };
}
