import { once } from 'node:events';
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createRemoteJWKSet, exportJWK, jwtVerify } from 'jose';
import { MemoryStore } from '../../../src/development/identity-provider/memory-store';
import { loadOidcLibrary } from '../../../src/development/identity-provider/oidc-library';
import { signingKey } from '../signing-keys';

export const REGISTERED = { id: 'registered-gateway', secret: 'canary-registered-secret-Pm63' };

type Metadata = Record<string, unknown>;

/**
 * A real authorization server (oidc-provider) for the accounts that people have at an MCP server. It signs
 * them in without a sign-in page.
 */
export interface AccountServer {
  readonly issuer: string;
  /** Paths of the received requests, in order. */
  readonly requests: string[];
  /** Parameters of the grants that succeeded, in order. */
  readonly grants: Record<string, unknown>[];
  /** All secrets so far: access and refresh tokens, codes, code verifiers and client secrets. */
  readonly secrets: string[];
  /** Tokens that were revoked. */
  readonly revoked: string[];
  /** The account that signs in next. */
  account: string;
  readonly lifeSeconds: number;
  /** Whether the person refuses access. */
  isRefused: boolean;
  /** The error with which the token endpoint refuses all requests; undefined: it accepts them. */
  refuses: string | undefined;
  /** Answers of the token endpoint are sent after this promise; undefined: at once. */
  held: Promise<void> | undefined;
  /** Replaces the metadata document by the result; undefined: the server sends the correct document. */
  metadata: ((right: Metadata) => Metadata) | undefined;
  /** Returns the subject of the token in `authorization`, if this server issued it for the resource. */
  subjectOf(authorization: string | undefined, resource: string): Promise<string | undefined>;
  close(): Promise<void>;
}

/** @param redirectUris redirect URIs of a preregistered client; if empty, no client is preregistered */
export async function startAccountServer(
  redirectUris: readonly string[] = [],
  port = 0,
): Promise<AccountServer> {
  const { privateKey } = signingKey();
  const server = createServer();
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { default: Provider } = loadOidcLibrary();
  const store = new MemoryStore();
  const provider = new Provider(issuer, {
    adapter: (model: string) => store.adapter(model),
    clients:
      redirectUris.length === 0
        ? []
        : [
            {
              client_id: REGISTERED.id,
              client_secret: REGISTERED.secret,
              grant_types: ['authorization_code', 'refresh_token'],
              redirect_uris: [...redirectUris],
              response_types: ['code'],
            },
          ],
    jwks: { keys: [{ ...(await exportJWK(privateKey)), alg: 'RS256', use: 'sig', kid: 'one' }] },
    scopes: ['notes:read', 'notes:write', 'offline_access'],
    cookies: { keys: ['test'] },
    pkce: { required: () => true },
    interactions: { url: (_ctx, interaction) => `/interaction/${interaction.uid}` },
    findAccount: (_ctx, sub) => ({ accountId: sub, claims: () => ({ sub }) }),
    issueRefreshToken: () => Promise.resolve(true),
    rotateRefreshToken: () => true,
    features: {
      devInteractions: { enabled: false },
      registration: { enabled: true },
      revocation: { enabled: true, allowedPolicy: () => true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: (_ctx, resource) => ({
          scope: 'notes:read notes:write',
          audience: resource,
          accessTokenFormat: 'jwt',
          jwt: { sign: { alg: 'RS256' } },
        }),
        useGrantedResource: () => true,
      },
    },
    ttl: {
      AccessToken: () => started.lifeSeconds,
      AuthorizationCode: 60,
      Session: 600,
      Interaction: 600,
      Grant: 864_000,
      RefreshToken: 864_000,
      IdToken: 600,
    },
  });
  const keys = createRemoteJWKSet(new URL(`${issuer}/jwks`));
  const claimsOf = async (authorization: string | undefined, resource: string) => {
    const token = authorization?.replace(/^Bearer /, '') ?? '';
    if (started.revoked.includes(token)) return undefined;
    const verified = await jwtVerify(token, keys, { issuer, audience: resource }).catch(() => undefined);
    return verified?.payload;
  };
  const started: AccountServer = {
    issuer,
    requests: [],
    grants: [],
    secrets: [],
    revoked: [],
    account: 'someone',
    lifeSeconds: 600,
    isRefused: false,
    refuses: undefined,
    held: undefined,
    metadata: undefined,
    subjectOf: async (authorization, resource) => (await claimsOf(authorization, resource))?.sub,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
  provider.on('grant.success', (ctx) => {
    started.grants.push({ ...(ctx.oidc.params as object) });
    const { access_token, refresh_token } = ctx.body as Record<string, string | undefined>;
    const { code, code_verifier } = ctx.oidc.params as Record<string, string | undefined>;
    for (const secret of [access_token, refresh_token, code, code_verifier])
      if (secret !== undefined) started.secrets.push(secret);
  });
  provider.use(async (ctx, next) => {
    await next();
    if (ctx.oidc?.route === 'token') await started.held;
    if (ctx.oidc?.route === 'revocation') started.revoked.push(String(ctx.oidc.params?.['token']));
    if (ctx.oidc?.route === 'registration') {
      const { client_secret: secret } = ctx.body as Record<string, string | undefined>;
      if (secret !== undefined) started.secrets.push(secret);
    }
  });
  const callback = provider.callback();

  /** Signs in and consents in place of a person, or refuses access if `isRefused` is true. */
  const interact = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { params } = await provider.interactionDetails(request, response);
    if (started.isRefused) return provider.interactionFinished(request, response, { error: 'access_denied' });
    const accountId = started.account;
    const grant = new provider.Grant({ accountId, clientId: String(params['client_id']) });
    const scope = typeof params['scope'] === 'string' ? params['scope'] : '';
    grant.addOIDCScope(scope);
    grant.addResourceScope(String(params['resource']), scope);
    // Sends sign-in and consent in one result, because the store keeps no sessions.
    const result = { login: { accountId }, consent: { grantId: await grant.save() } };
    return provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
  };

  server.on('request', (request, response) => {
    const { url = '' } = request;
    started.requests.push(url.split('?')[0] ?? '');
    if (url.startsWith('/interaction/')) {
      interact(request, response).catch((error: unknown) =>
        response.writeHead(500).end(JSON.stringify(error)),
      );
      return;
    }
    if (url === '/token' && started.refuses !== undefined) {
      const body = JSON.stringify({ error: started.refuses, error_description: 'canary-description' });
      // RFC 6749, section 5.2: if a client that authenticates with HTTP Basic is refused, the answer is 401.
      const isClient = started.refuses === 'invalid_client';
      if (isClient) response.setHeader('www-authenticate', 'Basic realm="accounts"');
      response.writeHead(isClient ? 401 : 400, { 'content-type': 'application/json' }).end(body);
      return;
    }
    if (url.startsWith('/.well-known/')) {
      const right = {
        issuer,
        authorization_endpoint: `${issuer}/auth`,
        token_endpoint: `${issuer}/token`,
        registration_endpoint: `${issuer}/reg`,
        revocation_endpoint: `${issuer}/token/revocation`,
        jwks_uri: `${issuer}/jwks`,
        response_types_supported: ['code'],
        code_challenge_methods_supported: ['S256'],
        token_endpoint_auth_methods_supported: ['client_secret_basic', 'none'],
        scopes_supported: ['notes:read', 'notes:write', 'offline_access'],
        authorization_response_iss_parameter_supported: true,
      };
      const document = started.metadata?.(right) ?? right;
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(document));
      return;
    }
    void callback(request, response);
  });
  return started;
}
