/** The only scope of access tokens for MCP endpoints. */
export const MCP_SCOPE = 'mcp';

/** Path to insert before the path of a resource to get the URL of its metadata (RFC 9728, section 3.1). */
const METADATA_PATH = '/.well-known/oauth-protected-resource';

/**
 * URL of the MCP endpoint of a connection, which is the resource (RFC 8707) of its access tokens. Without a
 * connection: URL of the MCP endpoint of the gateway's own tools, for which the gateway issues no tokens.
 *
 * @param apiUrl `API_URL`, without a slash at its end; it may have a path.
 * @param prefix `API_PREFIX`, such as `/api`.
 */
export function mcpResource(apiUrl: string, prefix: string, connection?: string): string {
  const endpoint = `${apiUrl}${prefix}/mcp`;
  return connection === undefined ? endpoint : `${endpoint}/${encodeURIComponent(connection)}`;
}

/** URL of the REST API: the resource for which the command line of the gateway gets its tokens. */
export function apiResource(apiUrl: string, prefix: string): string {
  return `${apiUrl}${prefix}`;
}

/** URL of the metadata (RFC 9728) of an MCP endpoint, for `WWW-Authenticate: Bearer resource_metadata=`. */
export function resourceMetadataUrl(apiUrl: string, prefix: string, connection?: string): string {
  const { origin, pathname } = new URL(mcpResource(apiUrl, prefix, connection));
  return `${origin}${METADATA_PATH}${pathname}`;
}

/** Extracts the path of an MCP endpoint from the path of its metadata; undefined for other paths. */
export function resourcePathOfMetadata(path: string): string | undefined {
  return path.startsWith(`${METADATA_PATH}/`) ? path.slice(METADATA_PATH.length) : undefined;
}

/**
 * Name of the connection whose MCP endpoint has this URL; undefined for another URL.
 * Compares scheme and host without regard to case. Compares the path exactly, after percent-decoding of the
 * name. Does not check that the connection exists.
 * @param isOwn whether the origin of a URL belongs to the gateway; default: only the origin of `API_URL` does
 */
export function connectionOfResource(
  apiUrl: string,
  prefix: string,
  resource: string,
  isOwn = (url: URL): boolean => url.origin === new URL(apiUrl).origin,
): string | undefined {
  // URL parsers drop or convert these characters. No URL of an MCP endpoint contains them.
  // oxlint-disable-next-line no-control-regex
  if (/[\\\u0000-\u0020\u007f#?]/.test(resource) || !URL.canParse(resource)) return undefined;
  const url = new URL(resource);
  const base = new URL(mcpResource(apiUrl, prefix, ''));
  if (!isOwn(url) || url.username !== '' || url.password !== '') return undefined;
  if (!url.pathname.startsWith(base.pathname)) return undefined;
  const name = decoded(url.pathname.slice(base.pathname.length));
  return name === undefined || name === '' || name.includes('/') ? undefined : name;
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
