const MAX_CHARACTERS = 300;
/**
 * A path segment of 20 or more characters, which may be a secret: some servers give each customer a secret
 * address.
 */
const SECRET_SEGMENT = /[^/]{20,}/g;

/**
 * Returns the target of a redirect, to show to people: an HTTP address without user, query and fragment, and
 * without path segments that may be secrets. Undefined if there is no target, it is not HTTP, or it is too
 * long.
 */
export function redirectPlace(location: string | undefined, from: URL): string | undefined {
  if (location === undefined || !URL.canParse(location, from.href)) return undefined;
  const { protocol, origin, pathname } = new URL(location, from);
  if (protocol !== 'https:' && protocol !== 'http:') return undefined;
  const place = `${origin}${pathname.replaceAll(SECRET_SEGMENT, '…')}`;
  if (place.length <= MAX_CHARACTERS) return place;
  return origin.length <= MAX_CHARACTERS ? origin : undefined;
}
