import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import * as oidc from 'openid-client';
import { McpSettings } from '../../../platform/config/groups';
import { CredentialFault } from '../../../gate/ports/upstream-credentials';
import { challengeParameter, readScope } from '../../../targets/mcp/protocol/bearer-challenge';
import { checkedFetch, isPlainAllowed } from '../../../platform/outbound/checked-fetch';
import { entriesAtMost } from '../../../kernel/runtime/entries-at-most';

const CACHED = 1_000;
const CACHED_MS = 10 * 60_000;
const WELL_KNOWN = '/.well-known/oauth-protected-resource';
/** Body of an MCP client's first request. Without a credential, a server refuses it or describes itself. */
const PROBE = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'server/discover', params: {} });

/** An authorization server that is known to issue tokens for an MCP server. */
export interface FoundAuthorizationServer {
  readonly metadata: oidc.ServerMetadata;
  /** `resource` in the metadata of the MCP server. Tokens are requested for it. */
  readonly resource: string;
  /**
   * Scope that the MCP server requires of its clients: from its 401 response, otherwise from its metadata.
   * Undefined if it names none.
   */
  readonly scope: string | undefined;
}

/** Metadata of an MCP server (RFC 9728). */
interface ProtectedResource {
  readonly resource: string;
  readonly servers: readonly unknown[];
  readonly scope: string | undefined;
}

/**
 * Finds the authorization server of an MCP server. Reads the metadata of the protected resource (RFC 9728),
 * then the metadata of the authorization server (RFC 8414, OpenID Connect Discovery). The MCP server must not
 * decide where the gateway sends its credentials: if an issuer is configured, the MCP server must name this
 * issuer. Credentials that the gateway got from an issuer are sent to this issuer only. The metadata of an
 * issuer must name the same issuer.
 */
@Injectable()
export class AuthorizationServers {
  private readonly cache = new LRUCache<string, FoundAuthorizationServer>({
    ...entriesAtMost(CACHED),
    ttl: CACHED_MS,
  });

  constructor(private readonly mcp: McpSettings) {}

  /**
   * @param issuer undefined for the first issuer that the server names.
   * @param asOf `now` ignores the cache, because the server may have moved to another authorization server.
   * @throws CredentialFault, and errors of the network
   */
  async find(
    server: URL,
    issuer?: URL,
    asOf: 'now' | 'lately' = 'lately',
  ): Promise<FoundAuthorizationServer> {
    const key = JSON.stringify([server.href, issuer?.href]);
    const known = asOf === 'now' ? undefined : this.cache.get(key);
    if (known !== undefined) return known;
    const { resource, servers, scope } = await this.resourceOf(server);
    const found = { resource, scope, metadata: await this.metadataOf(chosen(servers, issuer)) };
    this.cache.set(key, found);
    return found;
  }

  /**
   * Fetches the metadata of an issuer. openid-client checks that the metadata name this issuer, but not if
   * the issuer is a `/.well-known/` URL. Such a URL is refused, because a server could use it to impersonate
   * any issuer and to get the codes and secrets that are meant for that issuer.
   * @throws CredentialFault, and errors of the network
   */
  async metadataOf(issuer: URL): Promise<oidc.ServerMetadata> {
    if (issuer.href.includes('/.well-known/'))
      throw new CredentialFault(
        'needs_reauth',
        'The MCP server names a well-known address as its authorization server, which must be an issuer (RFC 8414).',
      );
    const options = {
      [oidc.customFetch]: this.fetch,
      ...(isPlainAllowed(issuer, this.mcp.allowedHosts) ? { execute: [oidc.allowInsecureRequests] } : {}),
    };
    const ask = (algorithm: 'oauth2' | 'oidc') =>
      oidc.discovery(issuer, 'discovery', undefined, oidc.None(), { ...options, algorithm });
    // An authorization server has one of two metadata documents. If both requests fail, the error of the
    // second request is reported.
    const config = await ask('oauth2').catch(() => ask('oidc'));
    return config.serverMetadata();
  }

  private async resourceOf(server: URL): Promise<ProtectedResource> {
    const { urls, scope } = await this.challengeOf(server);
    for (const url of urls) {
      const document = await this.read(url);
      if (document === undefined) continue;
      const { resource, authorization_servers: servers, scopes_supported: scopes } = document;
      if (typeof resource !== 'string' || !isResourceOf(resource, server))
        throw new CredentialFault('needs_reauth', 'The metadata of the MCP server are for another resource.');
      const supported = Array.isArray(scopes) ? readScope(scopes.join(' ')) : undefined;
      return { resource, servers: Array.isArray(servers) ? servers : [], scope: scope ?? supported };
    }
    throw new CredentialFault(
      'needs_reauth',
      'The MCP server does not say who issues tokens for it (RFC 9728).',
    );
  }

  /**
   * Returns the URLs of the resource metadata: the URL in a 401 response, otherwise the well-known URLs in
   * the order of the specification. Also returns the scope in the 401 response.
   */
  private async challengeOf(server: URL): Promise<{ urls: URL[]; scope: string | undefined }> {
    const answer = await this.fetch(server.href, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: PROBE,
    });
    const challenge = answer.status === 401 ? (answer.headers.get('www-authenticate') ?? '') : '';
    const scope = readScope(challengeParameter(challenge, 'scope'));
    const named = challengeParameter(challenge, 'resource_metadata');
    if (named !== undefined && URL.canParse(named)) return { urls: [new URL(named)], scope };
    const root = new URL(WELL_KNOWN, server);
    const path = server.pathname.replace(/\/$/, '');
    const wellKnown = path === '' ? [root] : [new URL(`${WELL_KNOWN}${path}${server.search}`, server), root];
    return { urls: wellKnown, scope };
  }

  private async read(url: URL): Promise<Record<string, unknown> | undefined> {
    const answer = await this.fetch(url.href, { method: 'GET', headers: { accept: 'application/json' } });
    if (answer.status !== 200) return undefined;
    const document = await answer.json().catch(() => undefined);
    return typeof document === 'object' && document !== null
      ? (document as Record<string, unknown>)
      : undefined;
  }

  private get fetch(): ReturnType<typeof checkedFetch> {
    return checkedFetch(this.mcp.allowedHosts);
  }
}

/**
 * Whether metadata for this resource apply to the server: the resource is the URL of the server, or a URL
 * above it at the same origin (RFC 9728, section 3.3).
 */
function isResourceOf(resource: string, server: URL): boolean {
  if (!URL.canParse(resource)) return false;
  const { origin, pathname, hash, search } = new URL(resource);
  if (origin !== server.origin || hash !== '') return false;
  if (search !== '') return search === server.search && pathname === server.pathname;
  return pathname === server.pathname || server.pathname.startsWith(pathname.replace(/\/?$/, '/'));
}

/** @throws CredentialFault */
function chosen(servers: readonly unknown[], issuer: URL | undefined): URL {
  if (issuer !== undefined && servers.some((named) => isSameUrl(named, issuer))) return issuer;
  if (issuer !== undefined)
    throw new CredentialFault(
      'needs_reauth',
      'The MCP server does not name the authorization server of MCP_ISSUER. An admin has to check the connection.',
    );
  const [first] = servers;
  if (typeof first === 'string' && URL.canParse(first)) return new URL(first);
  throw new CredentialFault('needs_reauth', 'The MCP server names no authorization server.');
}

function isSameUrl(named: unknown, url: URL): boolean {
  return typeof named === 'string' && URL.canParse(named) && new URL(named).href === url.href;
}
