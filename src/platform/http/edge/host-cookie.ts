import type { Request } from 'express';
import type { HttpSettings } from '../../config/groups';

type Address = Pick<HttpSettings, 'apiUrl'>;

/** Whether browsers reach the gateway by https. */
export const isTls = ({ apiUrl }: Address): boolean => apiUrl.startsWith('https:');

/**
 * The name under which a browser keeps a cookie. It takes one with the prefix from https only, for the whole
 * host, and from no other host (RFC 6265bis, "__Host-"): no neighbour of the same domain can set it.
 */
export function hostCookieName(address: Address, name: string): string {
  return isTls(address) ? `__Host-${name}` : name;
}

/**
 * The value of a cookie of the request. Two cookies of the name are none: the gateway sets one, so another
 * site set the other.
 */
export function hostCookieOf(request: Request, address: Address, name: string): string | undefined {
  const [value, ...others] = cookiesOf(request, hostCookieName(address, name));
  return others.length === 0 ? value : undefined;
}

/**
 * The values of all cookies of that exact name; several for different paths can have one. Only the blanks
 * between cookies are left out: to a browser, a name that begins with another kind of blank has no prefix, so
 * that neighbours may set it.
 */
export function cookiesOf(request: Request, name: string): string[] {
  const cookies = (request.headers.cookie ?? '')
    .split(';')
    .map((cookie) => cookie.replace(/^[ \t]+|[ \t]+$/g, ''));
  return cookies
    .filter((cookie) => cookie.startsWith(`${name}=`))
    .map((cookie) => cookie.slice(name.length + 1));
}
