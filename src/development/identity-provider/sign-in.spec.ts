import * as client from 'openid-client';
import { CALLBACK, SCOPE, discover, identityProviders } from '../../../test/support/development-identity';
import { type DevelopmentIdentityProvider } from './identity-provider';

const providers = identityProviders();
let idp: DevelopmentIdentityProvider;

beforeAll(async () => {
  idp = await providers.start();
});

afterAll(() => providers.stopAll());

describe('the sign-in page', () => {
  /** Requests the sign-in page. Returns its address, and the cookie that further requests need. */
  async function open() {
    const config = await discover(idp.issuer);
    const url = client.buildAuthorizationUrl(config, {
      redirect_uri: CALLBACK,
      scope: SCOPE,
      state: 'the-state',
      code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
      code_challenge_method: 'S256',
    });
    const redirect = await fetch(url, { redirect: 'manual' });
    const page = new URL(redirect.headers.get('location') ?? '', url);
    const cookie = redirect.headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; ');
    return { page, cookie };
  }

  async function choose(form: Record<string, string>) {
    const { page, cookie } = await open();
    const body = new URLSearchParams(form);
    return {
      cookie,
      response: await fetch(page, { method: 'POST', body, redirect: 'manual', headers: { cookie } }),
    };
  }

  it('lists the users, escaped, without script and under a strict policy', async () => {
    const { page, cookie } = await open();
    const response = await fetch(page, { headers: { cookie } });
    const html = await response.text();
    expect(html).toContain('<b>Ada &lt;Admin&gt;</b>');
    expect(html).toContain('b@example.com (not verified)');
    expect(html).toContain('<i>admins</i><i>dba</i>');
    expect(html).not.toContain('<script');
    expect(html).not.toContain('Ada <');
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'; style-src 'sha256-");
    expect(policy).toContain("form-action 'self' http: https:");
  });

  it('belongs to the browser that started the sign-in', async () => {
    const { page } = await open();
    const body = new URLSearchParams({ username: 'admin' });
    const response = await fetch(page, { method: 'POST', body });
    expect(response.status).toBe(400);
    expect(await response.text()).toContain('Start again');
  });

  it('refuses a user whom it does not list', async () => {
    const { response } = await choose({ username: 'mallory' });
    expect(response.status).toBe(400);
  });

  it('lets the user cancel', async () => {
    const { response, cookie } = await choose({ cancel: 'yes' });
    const resume = response.headers.get('location') ?? '';
    const callback = await fetch(resume, { redirect: 'manual', headers: { cookie } });
    const { searchParams } = new URL(callback.headers.get('location') ?? '');
    expect(searchParams.get('error')).toBe('access_denied');
    expect(searchParams.get('state')).toBe('the-state');
  });
});
