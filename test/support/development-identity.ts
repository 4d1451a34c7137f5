import { createRemoteJWKSet, jwtVerify } from 'jose';
import * as client from 'openid-client';
import {
  COMMAND_LINE_CLIENT_ID,
  startDevelopmentIdentityProvider,
  type DevelopmentIdentityProvider,
  type DevelopmentIdentityProviderOptions,
} from '../../src/development/identity-provider/identity-provider';
import { signIn } from './browser-sign-in';

export const CALLBACK = 'http://127.0.0.1:8000/callback';
export const SCOPE = 'openid email profile groups';
export const ADA = {
  email: 'ada@example.com',
  email_verified: true,
  name: 'Ada <Admin>',
  groups: ['admins', 'dba'],
};

export const OPTIONS: DevelopmentIdentityProviderOptions = {
  port: 0,
  clientId: 'access-gateway',
  clientSecret: 'gateway-secret',
  redirectUris: [CALLBACK],
  audience: 'the-gateway',
  users: [
    { username: 'admin', email: ADA.email, emailVerified: true, name: ADA.name, groups: ADA.groups },
    {
      username: 'bob',
      sub: 'sub-of-bob',
      email: 'b@example.com',
      emailVerified: false,
      name: 'Bob',
      groups: [],
    },
  ],
};

/** Starts providers for one spec file; `stopAll` belongs into its afterAll. */
export function identityProviders() {
  const started: DevelopmentIdentityProvider[] = [];
  return {
    async start(options: Partial<DevelopmentIdentityProviderOptions> = {}) {
      const provider = await startDevelopmentIdentityProvider({ ...OPTIONS, ...options });
      started.push(provider);
      return provider;
    },
    async stopAll() {
      await Promise.all(started.map((provider) => provider.close()));
    },
  };
}

export function discover(issuer: string): Promise<client.Configuration> {
  return client.discovery(new URL(issuer), OPTIONS.clientId, OPTIONS.clientSecret, undefined, {
    execute: [client.allowInsecureRequests],
  });
}

/** Performs the authorization code flow as a relying party; `within` acts as the user in the browser. */
export async function codeFlow(
  issuer: string,
  { scope = SCOPE, parameters = {}, within = (url: URL) => signIn(url.href, 'admin') } = {},
) {
  const config = await discover(issuer);
  const [pkceCodeVerifier, expectedState, expectedNonce] = [
    client.randomPKCECodeVerifier(),
    client.randomState(),
    client.randomNonce(),
  ];
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: CALLBACK,
    scope,
    state: expectedState,
    nonce: expectedNonce,
    code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
    ...parameters,
  });
  const callback = await within(url);
  return client.authorizationCodeGrant(config, callback, { pkceCodeVerifier, expectedState, expectedNonce });
}

export function passwordGrant(issuer: string, form: Record<string, string>): Promise<Response> {
  const body = new URLSearchParams({ grant_type: 'password', client_id: COMMAND_LINE_CLIENT_ID, ...form });
  return fetch(`${issuer}/token`, { method: 'POST', body });
}

export async function passwordToken(issuer: string, username = 'admin'): Promise<string> {
  const response = await passwordGrant(issuer, { username, password: username });
  return ((await response.json()) as { access_token: string }).access_token;
}

export function verify(token: string, issuer: string) {
  return jwtVerify(token, createRemoteJWKSet(new URL(`${issuer}/jwks`)), {
    issuer,
    audience: OPTIONS.audience,
    algorithms: ['RS256'],
  });
}

export function userinfo(issuer: string, token: string): Promise<Response> {
  return fetch(`${issuer}/userinfo`, { headers: { authorization: `Bearer ${token}` } });
}
