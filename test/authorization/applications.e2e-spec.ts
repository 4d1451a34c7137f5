import { describeGateway } from '../support/describe';
import { Browser } from '../support/browser-sign-in';
import {
  type McpClient,
  authorizeUrl,
  makeMcpConnection,
  newVerifier,
  press,
  reachConsent,
  redeem,
  registerClient,
  whoAt,
} from '../support/mcp-sign-in';

const CALLBACK = 'cursor://anysphere.cursor-mcp/oauth/callback';
/** The client registration of an editor application. */
const EDITOR = {
  client_name: 'Editor',
  redirect_uris: [
    CALLBACK,
    'http://localhost:8787/callback',
    'https://www.cursor.com/agents/mcp/oauth/callback',
  ],
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  token_endpoint_auth_method: 'none',
};

describeGateway('an application with a scheme of its own', ({ gateway }) => {
  let client: McpClient;

  beforeAll(async () => {
    await makeMcpConnection(gateway, 'linear');
    client = await registerClient(gateway, EDITOR);
  });

  // promises: OAUTH-4, OAUTH-6, OAUTH-8, OAUTH-13
  it('gets a code there, which is good with its verifier alone', async () => {
    const browser = new Browser();
    const page = await reachConsent(browser, authorizeUrl(gateway, client, 'linear'), 'alice');
    expect(page.html).toContain('<dd>cursor://anysphere.cursor-mcp</dd>');
    expect(page.html).toContain(
      'You return to this computer (cursor://anysphere.cursor-mcp). Any program on it',
    );
    expect(page.response.headers.get('content-security-policy')).toContain(
      "; form-action 'self' http: https: cursor:; ",
    );
    const back = (await press(browser, page, 'allow')).headers.get('location') ?? '';
    expect(back).toMatch(/^cursor:\/\/anysphere\.cursor-mcp\/oauth\/callback\?code=/);
    const code = new URL(back).searchParams.get('code');
    const { status, body } = await redeem(gateway, client, code);
    expect(status).toBe(200);
    expect(await whoAt(gateway, body.access_token, 'linear')).toBe('alice');
    const { body: listed } = await gateway.call('alice', 'GET', '/mcp-authorizations');
    expect(listed.data).toMatchObject([{ redirect_host: 'cursor://anysphere.cursor-mcp' }]);

    const again = await reachConsent(browser, authorizeUrl(gateway, client, 'linear'), 'alice');
    const stolen = new URL((await press(browser, again, 'allow')).headers.get('location') ?? '');
    const thief = { ...client, verifier: newVerifier() };
    expect((await redeem(gateway, thief, stolen.searchParams.get('code'))).body.error).toBe('invalid_grant');
  });

  // promises: OAUTH-3
  it('needs PKCE, and hears so at its scheme', async () => {
    for (const more of [{ code_challenge: undefined }, { code_challenge_method: 'plain' }]) {
      const answer = await new Browser().request(authorizeUrl(gateway, client, 'linear', more));
      expect(answer.headers.get('location')).toMatch(
        /^cursor:\/\/anysphere\.cursor-mcp\/oauth\/callback\?error=invalid_request&/,
      );
    }
  });

  // promises: OAUTH-4
  it.each([
    'cursor://anysphere.cursor-mcp/oauth/callback/',
    'cursor://anysphere.cursor-mcp/oauth/callback?x',
    'cursor://anysphere.cursor-mcp:1/oauth/callback',
    'cursor://evil/oauth/callback',
    'cursor2://anysphere.cursor-mcp/oauth/callback',
    'CURSOR://anysphere.cursor-mcp/oauth/callback',
    'javascript://anysphere.cursor-mcp/oauth/callback',
    'http://anysphere.cursor-mcp/oauth/callback',
  ])('is not led to %s', async (redirect_uri) => {
    const answer = await new Browser().request(authorizeUrl(gateway, client, 'linear', { redirect_uri }));
    expect([answer.status, answer.headers.get('location')]).toEqual([400, null]);
  });
});
