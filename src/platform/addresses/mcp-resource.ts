/** The scope of access tokens for MCP endpoints; there is one. */
export const MCP_SCOPE = 'mcp';

/** RFC 9728, section 3.1: stands between the host and the path of the resource. */
const METADATA_PATH = '/.well-known/oauth-protected-resource';

/**
 * URL of the MCP endpoint of a connection: the resource (RFC 8707) for which access tokens are issued.
 * Without a connection, that of our own tools, for which none are issued.
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

/** The path of an MCP endpoint in the path of its metadata; undefined for another path. */
export function resourcePathOfMetadata(path: string): string | undefined {
  return path.startsWith(`${METADATA_PATH}/`) ? path.slice(METADATA_PATH.length) : undefined;
}

/**
 * Name of the connection whose MCP endpoint has this URL; undefined for another URL.
 * Scheme and host are compared without case, the path exactly, but for
 * percent-encoding. Whether the connection exists is not checked.
 * @param isOwn whether the gateway is at the origin of a URL; default: that of `API_URL` alone
 */
export function connectionOfResource(
  apiUrl: string,
  prefix: string,
  resource: string,
  isOwn = (url: URL): boolean => url.origin === new URL(apiUrl).origin,
): string | undefined {
  // URL parsers drop or fold these; no URL of an MCP endpoint contains them.
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
