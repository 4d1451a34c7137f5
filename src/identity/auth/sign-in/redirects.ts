/**
 * Whether `/login` may redirect to this URL. Decided by scheme, host and port of the parsed URL, never by
 * its text (open redirects: contract, "Authentication").
 *
 * @param allowed origins such as `https://portal.example.com` or `http://127.0.0.1:*`
 */
export function isAllowedRedirect(redirect: string, allowed: readonly string[]): boolean {
  // URL parsers disagree about backslashes and drop tabs and line breaks; no legitimate URL contains them.
  // oxlint-disable-next-line no-control-regex
  if (/[\\\u0000-\u0020\u007f]/.test(redirect) || !URL.canParse(redirect)) return false;
  const url = new URL(redirect);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return false;
  // Requires the slashes, because without them a browser may read the URL as a path relative to its page.
  if (!/^https?:\/\//i.test(redirect)) return false;
  if (url.username !== '' || url.password !== '' || redirect.includes('#')) return false;
  return allowed.some((origin) => matches(url, origin));
}

function matches(url: URL, origin: string): boolean {
  const anyPort = origin.endsWith(':*');
  const text = anyPort ? origin.slice(0, -2) : origin;
  if (!URL.canParse(text)) return false;
  const pattern = new URL(text);
  return (
    url.protocol === pattern.protocol &&
    url.hostname === pattern.hostname &&
    (anyPort || url.port === pattern.port)
  );
}

/**
 * Whether the redirect leads to a command-line client, which listens on loopback. Then there is no cookie to
 * check, because the client called `/login`, not the browser that signs in.
 */
export function isCommandLine(redirect: string, apiUrl: string): boolean {
  const url = new URL(redirect);
  return url.hostname === '127.0.0.1' && url.origin !== new URL(apiUrl).origin;
}
