import type { CookieOptions, Request, Response } from 'express';
import type { HttpSettings } from '../config/groups';
import { LOGIN_LIFETIME_MS } from './login-states';

type Address = Pick<HttpSettings, 'apiUrl' | 'apiPrefix'>;

/** Holds the secret of the browser that began a sign-in. `/callback` alone gets it. */
export const LOGIN_COOKIE = 'gateway_login';

export function setLoginCookie(response: Response, address: Address, browser: string): void {
  response.cookie(LOGIN_COOKIE, browser, signInCookie(address, '/callback'));
}

export function clearLoginCookie(response: Response, address: Address): void {
  response.clearCookie(LOGIN_COOKIE, { path: signInCookie(address, '/callback').path });
}

/** Says to the pages of the gateway who sits at this browser; see `PageSignIn`. */
export const PAGE_COOKIE = 'gateway_page';
/** Below the prefix of the API. */
export const PAGES_PATH = '/pages';

export function setPageCookie(response: Response, address: Address, value: string): void {
  response.cookie(PAGE_COOKIE, value, signInCookie(address, PAGES_PATH));
}

/**
 * Options of a cookie that belongs to a sign-in, and lasts as long.
 * @param path below the prefix of the API.
 */
export function signInCookie({ apiUrl, apiPrefix }: Address, path: string): CookieOptions & { path: string } {
  return {
    httpOnly: true,
    sameSite: 'lax',
    secure: apiUrl.startsWith('https:'),
    // As the browser sees it: `API_URL` may contain a path.
    path: new URL(`${apiUrl}${apiPrefix}${path}`).pathname,
    maxAge: LOGIN_LIFETIME_MS,
  };
}

/** The value of a cookie of the request. */
export function cookieOf(request: Request, name: string): string | undefined {
  return cookiesOf(request, name)[0];
}

/** Several for different paths can have one name; the one of the longest path comes first (RFC 6265, section 5.4). */
export function cookiesOf(request: Request, name: string): string[] {
  const cookies = (request.headers.cookie ?? '').split(';').map((cookie) => cookie.trim());
  return cookies
    .filter((cookie) => cookie.startsWith(`${name}=`))
    .map((cookie) => cookie.slice(name.length + 1));
}
