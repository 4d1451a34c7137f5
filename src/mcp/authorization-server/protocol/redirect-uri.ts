import { privateUseScheme } from './private-use-uri';

const MAX_CHARACTERS = 2048;
/**
 * Loopback redirect URIs (RFC 8252, section 7.3), and `localhost`, which real clients use. The system chooses
 * the port when the client starts.
 */
const LOOPBACK = /^(http:\/\/(?:127\.0\.0\.1|localhost|\[::1\]))(?::\d{1,5})?(?=[/?]|$)/;

/**
 * Whether a client may use this redirect URI: `https`, `http` on a loopback host (specification of MCP,
 * "Communication Security"), or a private-use scheme of an application on the person's computer (RFC 8252,
 * section 7.1). It must have no fragment, no user, and nothing that URL parsers interpret differently.
 */
export function isRedirectUri(uri: string): boolean {
  // oxlint-disable-next-line no-control-regex
  if (uri.length > MAX_CHARACTERS || /[\\\u0000-\u0020\u007f-\uffff#]/.test(uri)) return false;
  if (privateUseScheme(uri) !== undefined) return URL.canParse(uri);
  if (!/^https?:\/\/[^/?@]+(?:[/?]|$)/.test(uri) || !URL.canParse(uri)) return false;
  const { protocol, username, password } = new URL(uri);
  return username === '' && password === '' && (protocol === 'https:' || isLoopbackUri(uri));
}

/** Whether the URI leads to the person's own computer, where any program may listen. */
export function isLoopbackUri(uri: string): boolean {
  return LOOPBACK.test(uri);
}

/** Whether the URI leads to a program on the person's computer. Any other program there can imitate it. */
export function isLocalUri(uri: string): boolean {
  return isLoopbackUri(uri) || privateUseScheme(uri) !== undefined;
}

/**
 * Returns the part of a URI that people should see: its host; for a private-use scheme, the scheme and the
 * host, if there is one (`cursor://anysphere.cursor-mcp`).
 */
export function placeOfUri(uri: string): string {
  const { protocol, host } = new URL(uri);
  if (privateUseScheme(uri) === undefined) return host;
  return host === '' ? protocol : `${protocol}//${host}`;
}

/**
 * Whether the requested redirect URI is one of the client's URIs. The texts must be equal, except for the
 * port on a loopback host.
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

/** Returns the redirect URI with these parameters added to its query. */
export function redirectTo(uri: string, parameters: Readonly<Record<string, string | null>>): string {
  const url = new URL(uri);
  for (const [name, value] of Object.entries(parameters))
    if (value !== null) url.searchParams.set(name, value);
  return url.href;
}
