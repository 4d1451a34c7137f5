import type { Request, Response } from 'express';
import type { HttpSettings } from '../../../platform/config/groups';
import { browserSecret, randomSecret } from '../../../platform/http/pages/browser-secret';
import { hostCookieName, hostCookieOf, isTls } from '../../../platform/http/edge/host-cookie';
import { LOGIN_LIFETIME_MS } from './login-states';

type Address = Pick<HttpSettings, 'apiUrl' | 'apiPrefix'>;

/** A cookie of a sign-in. It expires after `LOGIN_LIFETIME_MS`, like a sign-in in progress. */
interface SignInCookie {
  readonly name: string;
  /**
   * Path, below the prefix of the API, for which the browser sends the cookie. With https, the path is `/`
   * (`__Host-` cookie), so that no other host can set the cookie.
   */
  readonly path: string;
}

/**
 * Cookie with the secret of a browser in which sign-ins are in progress. `/callback` and pages about a
 * sign-in require it.
 */
const LOGIN_COOKIE: SignInCookie = { name: 'gateway_login', path: '' };
/** Cookie that identifies the user of this browser for the pages of the gateway; see `PageSignIn`. */
const PAGE_COOKIE: SignInCookie = { name: 'gateway_page', path: '/pages' };

/** The secret of the browser in which a sign-in began. */
export function loginSecretOf(request: Request, address: Address): string | undefined {
  return browserSecret(hostCookieOf(request, address, LOGIN_COOKIE.name));
}

/**
 * Returns the secret of a browser that begins a sign-in. All tabs share it, because each may have a sign-in
 * in progress.
 */
export function newLoginSecret(request: Request, address: Address): string {
  return loginSecretOf(request, address) ?? randomSecret();
}

export function setLoginCookie(response: Response, address: Address, secret: string): void {
  set(response, address, LOGIN_COOKIE, secret);
}

export function pageCookieOf(request: Request, address: Address): string | undefined {
  return hostCookieOf(request, address, PAGE_COOKIE.name);
}

export function setPageCookie(response: Response, address: Address, value: string): void {
  set(response, address, PAGE_COOKIE, value);
}

function set(response: Response, address: Address, { name, path }: SignInCookie, value: string): void {
  const secure = isTls(address);
  response.cookie(hostCookieName(address, name), value, {
    httpOnly: true,
    sameSite: 'lax',
    secure,
    // Uses the path that the browser sees, because `API_URL` may contain a path.
    path: secure ? '/' : new URL(`${address.apiUrl}${address.apiPrefix}${path}`).pathname,
    maxAge: LOGIN_LIFETIME_MS,
  });
}
