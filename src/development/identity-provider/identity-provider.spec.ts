import { request } from 'node:http';
import { decodeJwt } from 'jose';
import { signIn } from '../../../test/support/browser-sign-in';
import {
  ADA,
  CALLBACK,
  OPTIONS,
  SCOPE,
  codeFlow,
  identityProviders,
  passwordToken,
  userinfo,
  verify,
} from '../../../test/support/development-identity';
import { type DevelopmentIdentityProvider } from './identity-provider';

const providers = identityProviders();
let idp: DevelopmentIdentityProvider;

beforeAll(async () => {
  idp = await providers.start();
});

afterAll(() => providers.stopAll());

describe('discovery', () => {
  it('publishes the short addresses, on 127.0.0.1', async () => {
    expect(idp.issuer).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    const response = await fetch(`${idp.issuer}/.well-known/openid-configuration`);
    expect(await response.json()).toMatchObject({
      issuer: idp.issuer,
      authorization_endpoint: `${idp.issuer}/auth`,
      token_endpoint: `${idp.issuer}/token`,
      jwks_uri: `${idp.issuer}/jwks`,
      userinfo_endpoint: `${idp.issuer}/userinfo`,
      code_challenge_methods_supported: ['S256'],
      scopes_supported: SCOPE.split(' '),
      grant_types_supported: ['authorization_code', 'refresh_token', 'password'],
    });
  });

  it('publishes no private part of a key', async () => {
    const { keys } = (await (await fetch(`${idp.issuer}/jwks`)).json()) as { keys: object[] };
    expect(keys).toHaveLength(1);
    expect(Object.keys(keys[0] ?? {}).sort()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use']);
  });
});

describe('authorization code flow', () => {
  it('yields a JWT access token for the audience, and the claims in every place', async () => {
    const tokens = await codeFlow(idp.issuer);
    const { payload, protectedHeader } = await verify(tokens.access_token, idp.issuer);
    expect(protectedHeader).toMatchObject({ alg: 'RS256', typ: 'at+jwt' });
    expect(payload).toMatchObject({ ...ADA, sub: 'admin', aud: OPTIONS.audience, jti: expect.any(String) });
    expect(payload.exp).toBe((payload.iat ?? 0) + 3600);
    expect(tokens.claims()).toMatchObject({ ...ADA, sub: 'admin', aud: OPTIONS.clientId });
    const answer = await userinfo(idp.issuer, tokens.access_token);
    expect(await answer.json()).toEqual({ ...ADA, sub: 'admin' });
  });

  it('ignores unknown scopes, and leaves out claims whose scope was not requested', async () => {
    const tokens = await codeFlow(idp.issuer, { scope: 'openid email offline_access something:else' });
    const { payload } = await verify(tokens.access_token, idp.issuer);
    expect(payload).toMatchObject({ email: ADA.email, scope: 'openid email' });
    expect(payload).not.toHaveProperty('groups');
  });

  it('answers prompt=consent by the same click', async () => {
    const tokens = await codeFlow(idp.issuer, { parameters: { prompt: 'consent' } });
    expect(tokens.claims()?.sub).toBe('admin');
  });

  it('asks at every sign-in who it is, and uses the `sub` of a user who has one', async () => {
    await codeFlow(idp.issuer);
    const second = await codeFlow(idp.issuer, { within: (url) => signIn(url.href, 'bob') });
    expect(second.claims()).toMatchObject({ sub: 'sub-of-bob', email_verified: false, groups: [] });
  });

  it('accepts a code once', async () => {
    let callback = new URL(idp.issuer);
    const within = async (url: URL) => (callback = await signIn(url.href, 'admin'));
    await codeFlow(idp.issuer, { within });
    const body = new URLSearchParams({
      grant_type: 'authorization_code',
      code: callback.searchParams.get('code') ?? '',
      redirect_uri: CALLBACK,
      client_id: OPTIONS.clientId,
      client_secret: OPTIONS.clientSecret,
    });
    const again = await fetch(`${idp.issuer}/token`, { method: 'POST', body });
    expect([again.status, await again.json()]).toMatchObject([400, { error: 'invalid_grant' }]);
  });

  it('sends a request without PKCE back with an error', async () => {
    const query = `client_id=${OPTIONS.clientId}&response_type=code&scope=openid&redirect_uri=${CALLBACK}&state=s`;
    const response = await fetch(`${idp.issuer}/auth?${query}`, { redirect: 'manual' });
    const callback = new URL(response.headers.get('location') ?? '');
    expect(callback.href.startsWith(CALLBACK)).toBe(true);
    expect(callback.searchParams.get('error')).toBe('invalid_request');
  });

  it('never redirects to an address that is not registered', async () => {
    const query = `client_id=${OPTIONS.clientId}&response_type=code&redirect_uri=http://127.0.0.1:1/evil`;
    const headers = { accept: 'text/html' };
    const response = await fetch(`${idp.issuer}/auth?${query}`, { redirect: 'manual', headers });
    expect(response.status).toBe(400);
    expect(await response.text()).toContain('redirect_uri');
  });
});

it('shows a change of a live user in the next token', async () => {
  const live = await providers.start();
  const bob = live.users.get('bob');
  if (bob) Object.assign(bob, { groups: ['auditors'], email: 'bob@new.example' });
  const token = decodeJwt(await passwordToken(live.issuer, 'bob'));
  expect(token).toMatchObject({ sub: 'sub-of-bob', groups: ['auditors'], email: 'bob@new.example' });
});

it('gives tokens the configured lifetime', async () => {
  const brief = await providers.start({ accessTokenTtlSeconds: 7 });
  const byPassword = decodeJwt(await passwordToken(brief.issuer));
  const byCode = decodeJwt((await codeFlow(brief.issuer)).access_token);
  for (const { iat, exp } of [byPassword, byCode]) expect((exp ?? 0) - (iat ?? 0)).toBe(7);
});

describe('the server', () => {
  it('says in a sentence that its port is taken', async () => {
    const port = Number(new URL(idp.issuer).port);
    await expect(providers.start({ port })).rejects.toThrow(
      `The development identity provider cannot listen on 127.0.0.1:${port}: something else listens there already.`,
    );
  });

  it('answers requests for its own host name only', async () => {
    const { port } = new URL(idp.issuer);
    const status = await new Promise((resolve, reject) => {
      const headers = { host: `rebound.example:${port}` };
      request({ host: '127.0.0.1', port, path: '/jwks', headers }, (response) => {
        response.resume();
        resolve(response.statusCode);
      })
        .on('error', reject)
        .end();
    });
    expect(status).toBe(421);
  });
});
