import { Browser } from '../support/browser-sign-in';
import { whoIs } from '../support/callers';
import { commandLine } from '../support/command-line-sign-in';
import { describeGateway } from '../support/describe';
import {
  type McpClient,
  allow,
  authorizeUrl,
  makeMcpConnection,
  postForm,
  press,
  reachConsent,
  redeem,
  refresh,
  registerClient,
  resourceOf,
  whoAt,
} from '../support/mcp-sign-in';

describeGateway('tokens of the REST API for the command line', ({ gateway, begin }) => {
  const api = () => ({ resource: gateway.api });
  /** Runs the whole sign-in, and returns the code. */
  const code = async (client: McpClient, person: 'alice' | 'admin' = 'alice') => {
    const browser = new Browser();
    const page = await reachConsent(browser, authorizeUrl(gateway, client, '', api()), person);
    const back = await press(browser, page, 'allow');
    return new URL(back.headers.get('location') ?? '').searchParams.get('code');
  };
  const tokens = async (client: McpClient, person: 'alice' | 'admin' = 'alice') => {
    const { status, body } = await redeem(gateway, client, await code(client, person), api());
    if (status !== 200) throw new Error(JSON.stringify(body));
    return { access: body.access_token as string, refresh: body.refresh_token as string };
  };
  const refusal = async (client: McpClient, more: Record<string, string | undefined>) => {
    const response = await new Browser().request(authorizeUrl(gateway, client, 'linear', more));
    const location = response.headers.get('location');
    return location === null
      ? [response.status, 'a page']
      : [new URL(location).origin, new URL(location).searchParams.get('error')];
  };
  const statusOf = async (token: string) => (await whoIs(gateway, token)).status;

  beforeAll(() => makeMcpConnection(gateway, 'linear'));

  // promises: CLI-1, CLI-2
  it('come of a consent, and are good in the API as that person, and nowhere else', async () => {
    const client = commandLine();
    const browser = new Browser();
    const page = await reachConsent(browser, authorizeUrl(gateway, client, '', api()), 'alice');
    for (const text of [
      'the command line',
      'in your name',
      'administrator',
      '127.0.0.1:49152',
      'alice@example.com',
    ])
      expect(page.html).toContain(text);
    const back = await press(browser, page, 'allow');
    const answered = await redeem(
      gateway,
      client,
      new URL(back.headers.get('location') ?? '').searchParams.get('code'),
      api(),
    );
    expect(answered.body).toEqual({
      access_token: expect.stringMatching(/^gwt_[\w-]{43}$/),
      token_type: 'Bearer',
      expires_in: 3600,
      refresh_token: expect.stringMatching(/^gwr_[\w-]{43}$/),
      scope: 'api',
    });
    const token = answered.body.access_token as string;
    expect((await whoIs(gateway, token)).body).toMatchObject({ id: 'alice', role: 'regular' });
    // The token is refused at MCP endpoints, at our own tools, and as a password.
    expect(await whoAt(gateway, token, 'linear')).toBe('unauthenticated');
    expect(await whoAt(gateway, token)).toBe('unauthenticated');
    for (const path of ['/mcp', '/mcp/linear']) {
      const headers = { authorization: `Bearer ${token}`, accept: 'application/json, text/event-stream' };
      const message = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
      expect([path, (await gateway.call(null, 'POST', path, message, headers)).status]).toEqual([path, 401]);
    }
  });

  // promises: CLI-3
  it('are for the command line alone, and it gets no others', async () => {
    const [other, own] = [await registerClient(gateway), commandLine()];
    expect(await refusal(other, api())).toEqual([new URL(other.redirectUri).origin, 'invalid_target']);
    expect(await refusal(own, {})).toEqual([new URL(own.redirectUri).origin, 'invalid_target']);
    for (const resource of [
      `${gateway.api}/`,
      `${gateway.api}/mcp`,
      `${gateway.api}?x`,
      gateway.api.toUpperCase(),
      'https://elsewhere.example.com/api',
    ])
      expect([resource, await refusal(own, { resource })]).toEqual([
        resource,
        [new URL(own.redirectUri).origin, 'invalid_target'],
      ]);
    const document = { ...other, id: 'https://client.example.com/client.json' };
    expect(await refusal(document, api())).toEqual([400, 'a page']);
  });

  // promises: CLI-3
  it('need PKCE, and a loopback address of the command line', async () => {
    const own = commandLine();
    for (const more of [
      { code_challenge: undefined },
      { code_challenge_method: 'plain' },
      { code_challenge_method: undefined },
    ])
      expect(await refusal(own, { ...api(), ...more })).toEqual([
        new URL(own.redirectUri).origin,
        'invalid_request',
      ]);
    for (const uri of [
      'https://evil.example.com/callback',
      'http://evil.example.com/callback',
      'http://localhost:49152/callback',
      'http://127.0.0.1:49152/',
      'http://127.0.0.1:49152/callback?to=evil',
      'http://127.0.0.1.evil.example.com/callback',
      'http://127.0.0.1@evil.example.com/callback',
    ])
      expect([uri, await refusal(own, { ...api(), redirect_uri: uri })]).toEqual([uri, [400, 'a page']]);
    const six = { ...own, redirectUri: 'http://[::1]:5000/callback' };
    expect(await code(six)).toMatch(/^gwc_/);
  });

  // promises: CLI-3
  it('cannot be had for a code or a refresh token of something else', async () => {
    const [mcp, own] = [await registerClient(gateway), commandLine()];
    const mcpCode = (await allow(gateway, mcp, 'linear')).get('code');
    expect((await redeem(gateway, mcp, mcpCode, api())).body.error).toBe('invalid_target');
    const mcpTokens = (await redeem(gateway, mcp, mcpCode)).body;
    expect((await refresh(gateway, mcp, mcpTokens.refresh_token, api())).body.error).toBe('invalid_target');
    expect(await statusOf(mcpTokens.access_token)).toBe(401);
    const stolen = { ...own, verifier: mcp.verifier };
    expect((await refresh(gateway, stolen, mcpTokens.refresh_token)).body.error).toBe('invalid_grant');
    expect(await whoAt(gateway, mcpTokens.access_token, 'linear')).toBe('unauthenticated');

    const ownCode = await code(own);
    const elsewhere = { resource: resourceOf(gateway, 'linear') };
    expect((await redeem(gateway, own, ownCode, elsewhere)).body.error).toBe('invalid_target');
    expect((await redeem(gateway, { ...mcp, verifier: own.verifier }, ownCode)).body.error).toBe(
      'invalid_grant',
    );
    // An attacker may have the authorization code, so it is no longer redeemed for any client.
    expect((await redeem(gateway, own, ownCode)).body.error).toBe('invalid_grant');
  });

  // promises: CLI-4
  it('are renewed once with each refresh token, and all end when one is used again', async () => {
    const own = commandLine();
    const first = await tokens(own);
    const { body: second } = await refresh(gateway, own, first.refresh, api());
    expect([await statusOf(first.access), await statusOf(second.access_token)]).toEqual([200, 200]);
    expect((await refresh(gateway, own, first.refresh)).body.error).toBe('invalid_grant');
    expect([await statusOf(first.access), await statusOf(second.access_token)]).toEqual([401, 401]);
    expect((await refresh(gateway, own, second.refresh_token)).body.error).toBe('invalid_grant');
  });

  // promises: CLI-4
  it('are listed for their person, and end when it ends them, or the command line does', async () => {
    const own = commandLine();
    const [one, other] = [await tokens(own), await tokens(own)];
    const bearer = { authorization: `Bearer ${one.access}` };
    const { body } = await gateway.call(null, 'GET', '/mcp-authorizations', undefined, bearer);
    expect(body.data[0]).toMatchObject({
      client_id: 'gateway-cli',
      client_name: 'gateway, the command line',
      redirect_host: '127.0.0.1:49152',
      connection: null,
      user: 'alice',
    });
    // The list begins with the newest authorization, which is `other`.
    expect(
      (await gateway.call('alice', 'DELETE', `/mcp-authorizations/${body.data[0].id as string}`)).status,
    ).toBe(204);
    expect([await statusOf(one.access), await statusOf(other.access)]).toEqual([200, 401]);
    await postForm(gateway, '/oauth/revoke', { client_id: own.id, token: one.refresh });
    expect(await statusOf(one.access)).toBe(401);
    const lines = await gateway.call('admin', 'GET', '/audit/logs?resource_type=authorizations&page_size=2');
    expect(lines.body.data[0].changes).toContainEqual({
      field: 'resource',
      before: 'the REST API',
      after: null,
    });
  });

  // promises: CLI-2
  it('have the rights that their person has now', async () => {
    const own = commandLine();
    const { access } = await tokens(own, 'admin');
    const headers = { authorization: `Bearer ${access}` };
    expect((await gateway.call(null, 'GET', '/audit/verify', undefined, headers)).status).toBe(200);
    const aliceToken = (await tokens(commandLine())).access;
    expect(
      (
        await gateway.call(null, 'GET', '/audit/verify', undefined, {
          authorization: `Bearer ${aliceToken}`,
        })
      ).status,
    ).toBe(403);
    const { body } = await gateway.call('admin', 'GET', '/users?search=alice');
    const user = `/users/${body.data[0].id as string}`;
    await gateway.call('admin', 'PATCH', user, { status: 'inactive' });
    expect(await statusOf(aliceToken)).toBe(401);
    await gateway.call('admin', 'PATCH', user, { status: 'active' });
    expect(await statusOf(aliceToken)).toBe(200);
  });

  describe('where the identity provider issues the tokens of MCP clients', () => {
    const other = begin(async () => {
      const { startGateway } = await import('../support/gateway');
      return startGateway({ beside: gateway, environment: { MCP_AUTHORIZATION: 'idp' } });
    });

    // promises: CLI-5
    it('there are none', async () => {
      const { access } = await tokens(commandLine());
      expect((await whoIs(other, access)).status).toBe(401);
      for (const path of ['/oauth/authorize', '/oauth/device_authorization', '/pages/device'])
        expect((await other.call(null, 'GET', path)).status).toBe(404);
    });
  });
});
