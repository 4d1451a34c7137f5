/** Names of MCP's HTTP headers, in lower case as Node.js has them. */
export const MCP_HEADERS = {
  protocolVersion: 'mcp-protocol-version',
  method: 'mcp-method',
  name: 'mcp-name',
  /** Prefix; it is followed by the name that a tool's schema gives in `x-mcp-header`. */
  paramPrefix: 'mcp-param-',
  session: 'mcp-session-id',
  lastEventId: 'last-event-id',
} as const;

const PREFIX = '=?base64?';
const SUFFIX = '?=';
/** Visible ASCII characters, with spaces and tabs only between them. */
const PLAIN = /^(?:[\x21-\x7e](?:[\x20-\x7e\t]*[\x21-\x7e])?)?$/;

/**
 * Encodes a value of `Mcp-Name` or `Mcp-Param-*` for a header. Returns it unchanged, or as `=?base64?…?=` of
 * its UTF-8 if a header cannot contain it (2026-07-28, streamable HTTP, "Value Encoding").
 */
export function encodeHeaderValue(value: string): string {
  const isSentinel = value.startsWith(PREFIX) && value.endsWith(SUFFIX);
  // An empty value is encoded, because a proxy may drop an empty header.
  if (value !== '' && PLAIN.test(value) && !isSentinel) return value;
  return `${PREFIX}${Buffer.from(value, 'utf8').toString('base64')}${SUFFIX}`;
}

/**
 * Decodes a header. Returns undefined if its value is invalid or ambiguous: characters that a header must not
 * contain, base64 that is not canonical (RFC 4648, section 3.5), or bytes that are not UTF-8.
 */
export function decodeHeaderValue(header: string): string | undefined {
  if (!PLAIN.test(header)) return undefined;
  if (!header.startsWith(PREFIX) || !header.endsWith(SUFFIX)) return header;
  // In `=?base64?=`, prefix and suffix overlap.
  if (header.length < PREFIX.length + SUFFIX.length) return undefined;
  const encoded = header.slice(PREFIX.length, -SUFFIX.length);
  const bytes = Buffer.from(encoded, 'base64');
  if (bytes.toString('base64') !== encoded) return undefined;
  const value = bytes.toString('utf8');
  return Buffer.from(value, 'utf8').equals(bytes) ? value : undefined;
}
