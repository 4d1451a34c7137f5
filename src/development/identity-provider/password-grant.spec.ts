import { decodeJwt } from 'jose';
import {
  ADA,
  OPTIONS,
  SCOPE,
  codeFlow,
  identityProviders,
  passwordGrant,
  userinfo,
  verify,
} from '../../../test/support/development-identity';
import { COMMAND_LINE_CLIENT_ID, type DevelopmentIdentityProvider } from './identity-provider';

const providers = identityProviders();
let idp: DevelopmentIdentityProvider;

beforeAll(async () => {
  idp = await providers.start();
});

afterAll(() => providers.stopAll());

describe('password grant', () => {
  it('yields the same kind of token as the code flow', async () => {
    const response = await passwordGrant(idp.issuer, { username: 'admin', password: 'admin' });
    const tokens = (await response.json()) as Record<string, string>;
    expect(tokens).toMatchObject({ token_type: 'Bearer', expires_in: 3600, scope: SCOPE });
    const { payload } = await verify(tokens['access_token'] ?? '', idp.issuer);
    expect(payload).toMatchObject(ADA);
    const byCode = await codeFlow(idp.issuer);
    expect(Object.keys(payload).sort()).toEqual(Object.keys(decodeJwt(byCode.access_token)).sort());
    expect(decodeJwt(tokens['id_token'] ?? '')).toMatchObject({ ...ADA, aud: COMMAND_LINE_CLIENT_ID });
    expect(await (await userinfo(idp.issuer, tokens['access_token'] ?? '')).json()).toMatchObject(ADA);
  });

  it('serves the confidential client, with its secret only', async () => {
    const form = { username: 'admin', password: 'admin', client_id: OPTIONS.clientId };
    const refused = await passwordGrant(idp.issuer, form);
    expect([refused.status, await refused.json()]).toMatchObject([401, { error: 'invalid_client' }]);
    const granted = await passwordGrant(idp.issuer, { ...form, client_secret: OPTIONS.clientSecret });
    expect(granted.status).toBe(200);
  });

  it.each([
    ['a wrong password', { username: 'admin', password: 'nimda' }, 'invalid_grant'],
    ['an unknown user', { username: 'eve', password: 'eve' }, 'invalid_grant'],
    ['no password', { username: 'admin' }, 'invalid_request'],
    ['unknown scopes', { username: 'admin', password: 'admin', scope: 'unknown' }, 'invalid_scope'],
  ])('refuses %s', async (_case, form, error) => {
    const response = await passwordGrant(idp.issuer, form);
    expect([response.status, await response.json()]).toMatchObject([400, { error }]);
  });

  it('gives no more than the scopes asked for', async () => {
    const form = { username: 'admin', password: 'admin', scope: 'email unknown' };
    const tokens = (await (await passwordGrant(idp.issuer, form)).json()) as Record<string, string>;
    expect(tokens).not.toHaveProperty('id_token');
    expect(decodeJwt(tokens['access_token'] ?? '')).toMatchObject({ email: ADA.email, scope: 'email' });
    expect(decodeJwt(tokens['access_token'] ?? '')).not.toHaveProperty('groups');
  });
});
