import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import * as oidc from 'openid-client';
import { McpSettings } from '../config/groups';
import { CredentialFault } from '../gate/ports/upstream-credentials';
import { checkedFetch, isPlainAllowed } from '../outbound/checked-fetch';

const CACHED = 1_000;
const CACHED_MS = 10 * 60_000;
const WELL_KNOWN = '/.well-known/oauth-protected-resource';
/** The first request of every client. Without a credential it is refused, or has no effect. */
const PROBE = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'server/discover', params: {} });

/** An authorization server that is known to issue tokens for an MCP server. */
export interface FoundAuthorizationServer {
  readonly metadata: oidc.ServerMetadata;
  /** The name of the MCP server in its metadata: the `resource` for which tokens are requested. */
  readonly resource: string;
}

/**
 * Finds the authorization server of an MCP server: metadata of the protected resource (RFC 9728), then those of the authorization server
 * (RFC 8414, OpenID Connect Discovery). The MCP server does not choose who gets the credentials of the gateway: the issuer is known
 * beforehand, the server must name it, and its metadata must say the same.
 */
@Injectable()
export class AuthorizationServers {
  private readonly cache = new LRUCache<string, FoundAuthorizationServer>({ max: CACHED, ttl: CACHED_MS });

  constructor(private readonly mcp: McpSettings) {}

  /** @throws CredentialFault, and what the network throws */
  async find(server: URL, issuer: URL): Promise<FoundAuthorizationServer> {
    const key = JSON.stringify([server.href, issuer.href]);
    const known = this.cache.get(key);
    if (known !== undefined) return known;
    const resource = await this.resourceOf(server, issuer);
    const found = { resource, metadata: await this.metadataOf(issuer) };
    this.cache.set(key, found);
    return found;
  }

  private async resourceOf(server: URL, issuer: URL): Promise<string> {
    for (const url of await this.metadataUrls(server)) {
      const document = await this.read(url);
      if (document === undefined) continue;
      const { resource, authorization_servers: servers } = document;
      if (typeof resource !== 'string' || !isResourceOf(resource, server))
        throw new CredentialFault('needs_reauth', 'The metadata of the MCP server are for another resource.');
      if (!Array.isArray(servers) || !servers.some((named) => isSameUrl(named, issuer)))
        throw new CredentialFault(
          'needs_reauth',
          'The MCP server does not name the authorization server of MCP_ISSUER. An admin has to check the connection.',
        );
      return resource;
    }
    throw new CredentialFault(
      'needs_reauth',
      'The MCP server does not say who issues tokens for it (RFC 9728).',
    );
  }

  /** The one that a 401 names; else the well-known ones, in the order of the specification. */
  private async metadataUrls(server: URL): Promise<URL[]> {
    const answer = await this.fetch(server.href, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: PROBE,
    });
    const challenge = answer.status === 401 ? (answer.headers.get('www-authenticate') ?? '') : '';
    const [, named] = /(?:^|[\s,])resource_metadata="([^"\\]+)"/i.exec(challenge) ?? [];
    if (named !== undefined && URL.canParse(named)) return [new URL(named)];
    const root = new URL(WELL_KNOWN, server);
    const path = server.pathname.replace(/\/$/, '');
    return path === '' ? [root] : [new URL(`${WELL_KNOWN}${path}${server.search}`, server), root];
  }

  private async read(url: URL): Promise<Record<string, unknown> | undefined> {
    const answer = await this.fetch(url.href, { method: 'GET', headers: { accept: 'application/json' } });
    if (answer.status !== 200) return undefined;
    const document = await answer.json().catch(() => undefined);
    return typeof document === 'object' && document !== null
      ? (document as Record<string, unknown>)
      : undefined;
  }

  /** openid-client checks that the metadata name the requested issuer. */
  private async metadataOf(issuer: URL): Promise<oidc.ServerMetadata> {
    const options = {
      [oidc.customFetch]: checkedFetch(this.mcp.allowedHosts),
      ...(isPlainAllowed(issuer, this.mcp.allowedHosts) ? { execute: [oidc.allowInsecureRequests] } : {}),
    };
    const ask = (algorithm: 'oauth2' | 'oidc') =>
      oidc.discovery(issuer, 'discovery', undefined, oidc.None(), { ...options, algorithm });
    // An authorization server has one of the two documents. If both fail, the error of the second is thrown.
    const config = await ask('oauth2').catch(() => ask('oidc'));
    return config.serverMetadata();
  }

  private get fetch(): ReturnType<typeof checkedFetch> {
    return checkedFetch(this.mcp.allowedHosts);
  }
}

/** Whether metadata of this resource are about the server: it is that URL, or one above it at the same origin (RFC 9728, section 3.3). */
function isResourceOf(resource: string, server: URL): boolean {
  if (!URL.canParse(resource)) return false;
  const { origin, pathname, hash, search } = new URL(resource);
  if (origin !== server.origin || hash !== '') return false;
  if (search !== '') return search === server.search && pathname === server.pathname;
  return pathname === server.pathname || server.pathname.startsWith(pathname.replace(/\/?$/, '/'));
}

function isSameUrl(named: unknown, url: URL): boolean {
  return typeof named === 'string' && URL.canParse(named) && new URL(named).href === url.href;
}
