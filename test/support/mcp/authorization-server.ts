import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createRemoteJWKSet, exportJWK, jwtVerify } from 'jose';
import { MemoryStore } from '../../../src/development/identity-provider/memory-store';
import { loadOidcLibrary } from '../../../src/development/identity-provider/oidc-library';
import { signingKey } from '../signing-keys';

export const MACHINE = { id: 'gateway-machine', secret: 'canary-machine-secret-Kq42' };

/** A real authorization server (oidc-provider) with client credentials and resource indicators (RFC 8707). */
export interface AuthorizationServer {
  readonly issuer: string;
  /** Paths of the received requests, with queries, in order. */
  readonly requests: string[];
  /** Replaces the metadata document; undefined: the server sends the correct document. */
  metadata: ((right: Record<string, unknown>) => object) | undefined;
  /** Whether `Authorization` has a token of this server for this resource. */
  accepts(authorization: string | undefined, resource: string): Promise<boolean>;
  close(): Promise<void>;
}

export async function startAuthorizationServer(): Promise<AuthorizationServer> {
  const { privateKey } = signingKey();
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { default: Provider } = loadOidcLibrary();
  const store = new MemoryStore();
  const provider = new Provider(issuer, {
    adapter: (model: string) => store.adapter(model),
    clients: [
      {
        client_id: MACHINE.id,
        client_secret: MACHINE.secret,
        grant_types: ['client_credentials'],
        redirect_uris: [],
        response_types: [],
      },
    ],
    jwks: { keys: [{ ...(await exportJWK(privateKey)), alg: 'RS256', use: 'sig', kid: 'one' }] },
    scopes: ['mcp'],
    cookies: { keys: ['test'] },
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: (_ctx, resource) => ({
          scope: 'mcp',
          audience: resource,
          accessTokenFormat: 'jwt',
          accessTokenTTL: 3600,
          jwt: { sign: { alg: 'RS256' } },
        }),
      },
    },
    ttl: { ClientCredentials: 3600 },
  });
  const callback = provider.callback();
  const keys = createRemoteJWKSet(new URL(`${issuer}/jwks`));
  const started: AuthorizationServer = {
    issuer,
    requests: [],
    metadata: undefined,
    accepts: async (authorization, resource) => {
      const token = authorization?.replace(/^Bearer /, '') ?? '';
      return jwtVerify(token, keys, { issuer, audience: resource }).then(
        () => true,
        () => false,
      );
    },
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
  server.on('request', (request, response) => {
    started.requests.push(request.url ?? '');
    const change = started.metadata;
    if (request.url?.startsWith('/.well-known/') === true && change !== undefined) {
      const right = {
        issuer,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/jwks`,
        authorization_endpoint: `${issuer}/auth`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
      };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(change(right)));
    } else void callback(request, response);
  });
  return started;
}
