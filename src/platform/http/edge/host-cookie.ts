import type { IncomingMessage } from 'node:http';
import type { HttpSettings } from '../../config/groups';

type Address = Pick<HttpSettings, 'apiUrl'>;

/** Whether browsers reach the gateway by https. */
export const isTls = ({ apiUrl }: Address): boolean => apiUrl.startsWith('https:');

/**
 * Name under which a browser stores a cookie. A browser accepts a name with the prefix `__Host-` only over
 * https, for the whole host, and from this host itself (RFC 6265bis, "__Host-"). So no other host of the
 * domain can set the cookie.
 */
export function hostCookieName(address: Address, name: string): string {
  return isTls(address) ? `__Host-${name}` : name;
}

/**
 * Returns the value of a cookie. Returns undefined if two cookies have this name: the gateway sets only one,
 * so one of them comes from another site.
 */
export function hostCookieOf(
  request: Pick<IncomingMessage, 'headers'>,
  address: Address,
  name: string,
): string | undefined {
  const [value, ...others] = cookiesOf(request, hostCookieName(address, name));
  return others.length === 0 ? value : undefined;
}

/**
 * The values of all cookies with exactly this name; cookies for different paths may share a name. Removes
 * only spaces and tabs between cookies. If other white space precedes the name, browsers do not recognize the
 * prefix `__Host-`, and another host may have set the cookie. So such a cookie must not match.
 */
export function cookiesOf(request: Pick<IncomingMessage, 'headers'>, name: string): string[] {
  const cookies = (request.headers.cookie ?? '')
    .split(';')
    .map((cookie) => cookie.replace(/^[ \t]+|[ \t]+$/g, ''));
  return cookies
    .filter((cookie) => cookie.startsWith(`${name}=`))
    .map((cookie) => cookie.slice(name.length + 1));
}
