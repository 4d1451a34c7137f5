const MAX_CHARACTERS = 300;
/**
 * A segment of a path as long as this may be a secret of the address: some servers give each customer one.
 */
const SECRET_SEGMENT = /[^/]{20,}/g;

/**
 * Target of a redirect, for people: an address of HTTP without user, query and fragment, and without parts of
 * its path that may be secrets. Undefined where it leads nowhere, or to an address that no MCP server has.
 */
export function redirectPlace(location: string | undefined, from: URL): string | undefined {
  if (location === undefined || !URL.canParse(location, from.href)) return undefined;
  const { protocol, origin, pathname } = new URL(location, from);
  if (protocol !== 'https:' && protocol !== 'http:') return undefined;
  const place = `${origin}${pathname.replaceAll(SECRET_SEGMENT, '…')}`;
  if (place.length <= MAX_CHARACTERS) return place;
  return origin.length <= MAX_CHARACTERS ? origin : undefined;
}
