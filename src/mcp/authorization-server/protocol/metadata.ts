import { Injectable } from '@nestjs/common';
import { Settings } from '../../../platform/config/settings';
import { MCP_SCOPE, mcpResource, resourcePathOfMetadata } from '../../../platform/addresses/mcp-resource';
import type { OwnOrigins } from '../../../platform/addresses/own-origins';
import { RESOURCE_NAME, RESOURCE_NAME_MAX } from '../../../platform/http/dto/resource-name';
import { ownOrigins } from './requested-resource';

const SERVER_METADATA = '/.well-known/oauth-authorization-server';

/**
 * The documents below `/.well-known/`, by which clients find the endpoints.
 * They do not depend on stored data.
 */
@Injectable()
export class AuthorizationMetadata {
  private readonly origins: OwnOrigins;

  constructor(private readonly settings: Settings) {
    this.origins = ownOrigins(settings);
  }

  /**
   * Returns the document at the path of a received request; undefined if there is none. The URL of the
   * resource in the document has the host name that the client used, because clients compare it with their
   * own URL (RFC 9728, section 3.3). The URL of the authorization server is its issuer, whatever host name
   * the client used.
   */
  find(path: string, protocol = 'http', host?: string): object | undefined {
    const resource = resourcePathOfMetadata(path);
    if (resource !== undefined) return this.protectedResource(resource, this.origins.urlAt(protocol, host));
    return this.isAtServerPath(path) ? this.authorizationServer() : undefined;
  }

  /**
   * Returns the metadata of a resource (RFC 9728). Does not check that the connection exists, so the metadata
   * reveal no names.
   */
  private protectedResource(path: string, apiUrl: string): object | undefined {
    const { apiPrefix } = this.settings.http;
    const below = [this.pathOfApiUrl(), '']
      .map((base) => `${base}${apiPrefix}/mcp`)
      .filter((start) => path === start || path.startsWith(`${start}/`))
      .map((start) => path.slice(start.length))
      .at(0);
    if (below === undefined) return undefined;
    // The MCP endpoint of the gateway's own tools accepts only tokens of the identity provider, because these
    // tools can do everything that the person can. A token of this server is for one connection only.
    if (below === '') return this.resource(mcpResource(apiUrl, apiPrefix), false);
    const name = below.slice(1);
    if (name.length > RESOURCE_NAME_MAX || !RESOURCE_NAME.test(name)) return undefined;
    return this.resource(mcpResource(apiUrl, apiPrefix, name), this.isOwn());
  }

  /** @param isOwn whether the gateway issues the tokens for the resource; else the identity provider does. */
  private resource(resource: string, isOwn: boolean): object {
    return {
      resource,
      authorization_servers: [isOwn ? this.issuer() : this.settings.identityProvider.issuer],
      scopes_supported: isOwn ? [MCP_SCOPE] : this.settings.identityProvider.scopes.split(' '),
      bearer_methods_supported: ['header'],
    };
  }

  /**
   * Returns the metadata of the authorization server (RFC 8414). The metadata are for MCP clients, so they do
   * not contain the features that only the command line uses.
   */
  private authorizationServer(): object | undefined {
    if (!this.isOwn()) return undefined;
    const { apiUrl, apiPrefix } = this.settings.http;
    const base = `${apiUrl}${apiPrefix}/oauth`;
    return {
      issuer: this.issuer(),
      authorization_endpoint: `${base}/authorize`,
      token_endpoint: `${base}/token`,
      registration_endpoint: `${base}/register`,
      revocation_endpoint: `${base}/revoke`,
      scopes_supported: [MCP_SCOPE],
      response_types_supported: ['code'],
      response_modes_supported: ['query'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_methods_supported: ['none'],
      revocation_endpoint_auth_methods_supported: ['none'],
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: true,
    };
  }

  issuer(): string {
    return this.settings.http.apiUrl;
  }

  /** Whether the gateway itself issues tokens to MCP clients (`MCP_AUTHORIZATION`). */
  isOwn(): boolean {
    return this.settings.mcp.authorization === 'gateway';
  }

  /**
   * Whether this is the path of the server metadata. It ends with the path of the issuer (RFC 8414, section
   * 3.1), unless a reverse proxy has removed that path.
   */
  private isAtServerPath(path: string): boolean {
    return path === SERVER_METADATA || path === `${SERVER_METADATA}${this.pathOfApiUrl()}`;
  }

  /** Returns the path of `API_URL`; empty if it has none. */
  private pathOfApiUrl(): string {
    return new URL(this.settings.http.apiUrl).pathname.replace(/\/$/, '');
  }
}
