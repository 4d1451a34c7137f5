import { type OAuthClientProvider as ModernProvider, auth as authModern } from '@modelcontextprotocol/client';
import { type OAuthClientProvider, auth } from '@modelcontextprotocol/sdk/client/auth.js';
import { Browser } from '../support/browser-sign-in';
import { describeGateway } from '../support/describe';
import {
  LOOPBACK_URI,
  makeMcpConnection,
  press,
  reachConsent,
  resourceOf,
  whoAt,
} from '../support/mcp-sign-in';

/**
 * Stores of an application that uses the SDK: its registration, its tokens, and the address to which it sent
 * the browser.
 */
function keeper() {
  let client: object | undefined;
  let tokens: { access_token: string; refresh_token?: string } | undefined;
  let verifier = '';
  let opened: URL | undefined;
  const provider = {
    redirectUrl: LOOPBACK_URI,
    clientMetadata: { client_name: 'An SDK', redirect_uris: [LOOPBACK_URI] },
    state: () => 'state-of-the-sdk',
    clientInformation: () => client,
    saveClientInformation: (given: object) => void (client = given),
    tokens: () => tokens,
    saveTokens: (given: { access_token: string }) => void (tokens = given),
    redirectToAuthorization: (url: URL) => void (opened = url),
    saveCodeVerifier: (given: string) => void (verifier = given),
    codeVerifier: () => verifier,
  };
  return {
    provider: provider as OAuthClientProvider & ModernProvider,
    opened: () => opened ?? new URL('about:blank'),
    tokens: () => tokens,
  };
}

type Auth = (
  provider: OAuthClientProvider & ModernProvider,
  options: { serverUrl: string; authorizationCode?: string; iss?: string },
) => Promise<string>;

describeGateway('the clients of the SDKs', ({ gateway }) => {
  beforeAll(() => makeMcpConnection(gateway, 'linear'));

  // promises: OAUTH-1, OAUTH-3, OAUTH-5, OAUTH-8, OAUTH-15
  it.each<[string, Auth, string]>([
    ['@modelcontextprotocol/sdk 1', (provider, options) => auth(provider, options), '127.0.0.1'],
    ['@modelcontextprotocol/client 2', (provider, options) => authModern(provider, options), '127.0.0.1'],
    ['@modelcontextprotocol/sdk 1 at localhost', (provider, options) => auth(provider, options), 'localhost'],
    [
      '@modelcontextprotocol/client 2 at localhost',
      (provider, options) => authModern(provider, options),
      'localhost',
    ],
  ])(
    'find the way from the address of the endpoint alone, and renew their tokens: %s',
    async (_, run, host) => {
      const { provider, opened, tokens } = keeper();
      const serverUrl = resourceOf(gateway, 'linear').replace('//127.0.0.1:', `//${host}:`);
      expect(await run(provider, { serverUrl })).toBe('REDIRECT');
      expect(Object.fromEntries(opened().searchParams)).toMatchObject({
        resource: serverUrl,
        scope: 'mcp',
        code_challenge_method: 'S256',
      });

      const browser = new Browser();
      const page = await reachConsent(browser, opened(), 'alice');
      const back = new URL((await press(browser, page, 'allow')).headers.get('location') ?? '');
      expect(back.searchParams.get('state')).toBe('state-of-the-sdk');
      const [authorizationCode = '', iss = ''] = ['code', 'iss'].map(
        (name) => back.searchParams.get(name) ?? '',
      );
      expect(await run(provider, { serverUrl, authorizationCode, iss })).toBe('AUTHORIZED');
      const first = tokens();
      expect(await whoAt(gateway, first?.access_token ?? '', 'linear')).toBe('alice');

      expect(await run(provider, { serverUrl })).toBe('AUTHORIZED');
      expect(tokens()?.refresh_token).not.toBe(first?.refresh_token);
      expect(await whoAt(gateway, tokens()?.access_token ?? '', 'linear')).toBe('alice');
    },
  );

  it('refuse the code of another issuer', async () => {
    const { provider, opened } = keeper();
    const serverUrl = resourceOf(gateway, 'linear');
    await authModern(provider, { serverUrl });
    const browser = new Browser();
    const page = await reachConsent(browser, opened(), 'alice');
    const back = new URL((await press(browser, page, 'allow')).headers.get('location') ?? '');
    const authorizationCode = back.searchParams.get('code') ?? '';
    await expect(
      authModern(provider, { serverUrl, authorizationCode, iss: 'https://evil.example.com' }),
    ).rejects.toThrow();
    await expect(authModern(provider, { serverUrl, authorizationCode })).rejects.toThrow();
  });
});
