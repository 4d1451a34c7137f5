import {
  ADA,
  codeFlow,
  identityProviders,
  passwordToken,
  userinfo,
} from '../../../test/support/development-identity';
import { type DevelopmentIdentityProvider } from './identity-provider';

const providers = identityProviders();
let idp: DevelopmentIdentityProvider;

beforeAll(async () => {
  idp = await providers.start();
});

afterAll(() => providers.stopAll());

describe('/userinfo', () => {
  it('answers opaque access tokens of both grants', async () => {
    const opaque = await providers.start({ accessTokenFormat: 'opaque' });
    const byCode = (await codeFlow(opaque.issuer)).access_token;
    for (const token of [byCode, await passwordToken(opaque.issuer)]) {
      expect(token).not.toContain('.');
      const response = await userinfo(opaque.issuer, token);
      expect(await response.json()).toEqual({ ...ADA, sub: 'admin' });
    }
  });

  it('refuses a token that is forged, and one of another provider', async () => {
    const other = await providers.start();
    const foreign = await passwordToken(other.issuer);
    const [head, body] = (await passwordToken(idp.issuer)).split('.');
    const forged = `${head}.${body}.${foreign.split('.')[2]}`;
    for (const token of [forged, foreign, 'no-such-token']) {
      const response = await userinfo(idp.issuer, token);
      expect([response.status, await response.json()]).toMatchObject([401, { error: 'invalid_token' }]);
      expect(response.headers.get('www-authenticate')).toContain('invalid_token');
    }
  });
});
