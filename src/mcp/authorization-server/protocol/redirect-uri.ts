import { privateUseScheme } from './private-use-uri';

const MAX_CHARACTERS = 2048;
/**
 * RFC 8252, section 7.3, and `localhost`, which real clients use. The port is
 * chosen by the system when the client starts.
 */
const LOOPBACK = /^(http:\/\/(?:127\.0\.0\.1|localhost|\[::1\]))(?::\d{1,5})?(?=[/?]|$)/;

/**
 * Whether a client may have this redirect URI: `https`, `http` on a loopback host (specification of MCP,
 * "Communication Security"), or a private-use scheme of an application on the person's computer (RFC 8252,
 * section 7.1), without fragment and user, and without anything that parsers of URLs read differently.
 */
export function isRedirectUri(uri: string): boolean {
  // oxlint-disable-next-line no-control-regex
  if (uri.length > MAX_CHARACTERS || /[\\\u0000-\u0020\u007f-\uffff#]/.test(uri)) return false;
  if (privateUseScheme(uri) !== undefined) return URL.canParse(uri);
  if (!/^https?:\/\/[^/?@]+(?:[/?]|$)/.test(uri) || !URL.canParse(uri)) return false;
  const { protocol, username, password } = new URL(uri);
  return username === '' && password === '' && (protocol === 'https:' || isLoopbackUri(uri));
}

/** Whether it leads to the machine of the person, where any program may listen. */
export function isLoopbackUri(uri: string): boolean {
  return LOOPBACK.test(uri);
}

/** Whether it leads to a program on the person's computer, and any program there may take its place. */
export function isLocalUri(uri: string): boolean {
  return isLoopbackUri(uri) || privateUseScheme(uri) !== undefined;
}

/**
 * Target of a URI, for people: the host, or the application with its part in place of a host
 * (`cursor://anysphere.cursor-mcp`).
 */
export function placeOfUri(uri: string): string {
  const { protocol, host } = new URL(uri);
  if (privateUseScheme(uri) === undefined) return host;
  return host === '' ? protocol : `${protocol}//${host}`;
}

/**
 * Whether a requested redirect URI is one that the client named: the same
 * text, except for the port on a loopback host.
 */
export function isNamedUri(requested: string, named: readonly string[]): boolean {
  if (!isRedirectUri(requested)) return false;
  return named.some(
    (uri) => uri === requested || (isLoopbackUri(uri) && withoutPort(uri) === withoutPort(requested)),
  );
}

function withoutPort(uri: string): string {
  return uri.replace(LOOPBACK, '$1');
}

/** The redirect URI with parameters added to its own. */
export function redirectTo(uri: string, parameters: Readonly<Record<string, string | null>>): string {
  const url = new URL(uri);
  for (const [name, value] of Object.entries(parameters))
    if (value !== null) url.searchParams.set(name, value);
  return url.href;
}
