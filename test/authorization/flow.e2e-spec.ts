import { describeGateway } from '../support/describe';
import { Browser } from '../support/browser-sign-in';
import { whoIs } from '../support/callers';
import {
  LOOPBACK_URI,
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
  tokensFor,
  whoAt,
} from '../support/mcp-sign-in';

const TOKEN = /^gwt_[\w-]{43}$/;
const REFRESH = /^gwr_[\w-]{43}$/;

describeGateway('signing an MCP client in', ({ gateway }) => {
  const origin = () => new URL(gateway.api).origin;
  const wellKnown = async (path: string) => {
    const response = await fetch(`${origin()}/.well-known/${path}`);
    return [response.status, await response.json()] as const;
  };

  beforeAll(async () => {
    for (const name of ['linear', 'github']) await makeMcpConnection(gateway, name);
    await makeMcpConnection(gateway, 'for-admins', []);
    await gateway.call('admin', 'PATCH', '/organization', { features: { access_control: true } });
  });

  // promises: OAUTH-1
  it('begins with metadata, which are the same whether the connection exists or not', async () => {
    for (const name of ['linear', 'for-admins', 'no-such-connection'])
      expect(await wellKnown(`oauth-protected-resource/api/mcp/${name}`)).toEqual([
        200,
        {
          resource: resourceOf(gateway, name),
          authorization_servers: [origin()],
          scopes_supported: ['mcp'],
          bearer_methods_supported: ['header'],
        },
      ]);
    expect(await wellKnown('oauth-authorization-server')).toEqual([
      200,
      {
        issuer: origin(),
        authorization_endpoint: `${gateway.api}/oauth/authorize`,
        token_endpoint: `${gateway.api}/oauth/token`,
        registration_endpoint: `${gateway.api}/oauth/register`,
        revocation_endpoint: `${gateway.api}/oauth/revoke`,
        scopes_supported: ['mcp'],
        response_types_supported: ['code'],
        response_modes_supported: ['query'],
        grant_types_supported: ['authorization_code', 'refresh_token'],
        token_endpoint_auth_methods_supported: ['none'],
        revocation_endpoint_auth_methods_supported: ['none'],
        code_challenge_methods_supported: ['S256'],
        authorization_response_iss_parameter_supported: true,
        client_id_metadata_document_supported: true,
      },
    ]);
    for (const path of [
      'openid-configuration',
      'oauth-protected-resource',
      'oauth-protected-resource/api',
      'oauth-protected-resource/api/mcp/',
      'oauth-protected-resource/api/mcp/a/b',
      'oauth-protected-resource/api/mcp/%3Cscript%3E',
      'oauth-authorization-server/api',
    ])
      expect([path, ...(await wellKnown(path))]).toEqual([path, 404, { message: 'no such route' }]);
  });

  // promises: OAUTH-3, OAUTH-4, OAUTH-6, OAUTH-7
  it('ends with a token that opens this connection as this person, and nothing else', async () => {
    const client = await registerClient(gateway);
    const browser = new Browser();
    const page = await reachConsent(browser, authorizeUrl(gateway, client, 'linear'), 'alice');
    expect(page.response.status).toBe(200);
    for (const shown of ['Test Client', '127.0.0.1:3333', 'linear', 'Alice Engineer', 'alice@example.com'])
      expect(page.html).toContain(shown);
    const back = await press(browser, page, 'allow');
    expect([back.status, back.headers.get('cache-control'), await back.text()]).toEqual([
      303,
      'no-store',
      '',
    ]);
    const location = new URL(back.headers.get('location') ?? '');
    expect(`${location.origin}${location.pathname}`).toBe(LOOPBACK_URI);
    expect(Object.fromEntries(location.searchParams)).toEqual({
      code: expect.stringMatching(/^gwc_[\w-]{43}$/),
      state: 'state of the client',
      iss: origin(),
    });

    const answer = await redeem(gateway, client, location.searchParams.get('code'), {
      resource: resourceOf(gateway, 'linear'),
    });
    expect([answer.status, answer.headers.get('cache-control'), answer.body]).toEqual([
      200,
      'no-store',
      {
        access_token: expect.stringMatching(TOKEN),
        token_type: 'Bearer',
        expires_in: 3600,
        refresh_token: expect.stringMatching(REFRESH),
        scope: 'mcp',
      },
    ]);
    const { access_token: access, refresh_token: renewal } = answer.body;
    expect(await whoAt(gateway, access, 'linear')).toBe('alice');
    for (const elsewhere of ['github', 'for-admins', 'no-such-connection', undefined])
      expect([elsewhere, await whoAt(gateway, access, elsewhere)]).toEqual([elsewhere, 'unauthenticated']);
    expect((await whoIs(gateway, access)).status).toBe(401);
    for (const other of [renewal, location.searchParams.get('code')])
      expect(await whoAt(gateway, other, 'linear')).toBe('unauthenticated');
  });

  // promises: OAUTH-7
  it('leaves API keys and tokens of the identity provider good', async () => {
    const { body } = await gateway.call('admin', 'POST', '/api-keys', { name: 'ci', groups: ['dba'] });
    expect(await whoAt(gateway, body.key, 'linear')).toBe(`api-key:${body.id}`);
    expect(await whoAt(gateway, await gateway.token('bob'), 'linear')).toBe('bob');
  });

  // promises: OAUTH-8
  it('is renewed by a refresh token that is good once', async () => {
    const client = await registerClient(gateway);
    const first = await tokensFor(gateway, client, 'linear');
    const second = (await refresh(gateway, client, first.refresh)).body;
    expect(second.access_token).toMatch(TOKEN);
    expect(second.refresh_token).not.toBe(first.refresh);
    expect(await whoAt(gateway, first.access, 'linear')).toBe('alice');
    expect(await whoAt(gateway, second.access_token, 'linear')).toBe('alice');

    // A thief, or a client that lost the answer, uses an old refresh token again. Then all tokens are
    // revoked.
    const reused = await refresh(gateway, client, first.refresh);
    expect([reused.status, reused.body.error]).toEqual([400, 'invalid_grant']);
    for (const token of [first.access, second.access_token])
      expect(await whoAt(gateway, token, 'linear')).toBe('unauthenticated');
    expect((await refresh(gateway, client, second.refresh_token)).body.error).toBe('invalid_grant');
  });

  // promises: OAUTH-9
  it('ends when the client revokes a token, and leaves those of other clients alone', async () => {
    const [client, other] = [await registerClient(gateway), await registerClient(gateway)];
    // Repeats the revocation, because each one must take effect before its answer is sent.
    for (const kind of ['access', 'refresh', 'access', 'refresh', 'access', 'refresh'] as const) {
      const tokens = await tokensFor(gateway, client, 'linear');
      for (const form of [
        { token: tokens[kind], client_id: other.id },
        { token: 'gwt_unknown', client_id: client.id },
      ])
        expect((await postForm(gateway, '/oauth/revoke', form)).status).toBe(200);
      expect(await whoAt(gateway, tokens.access, 'linear')).toBe('alice');
      const revoked = await postForm(gateway, '/oauth/revoke', { token: tokens[kind], client_id: client.id });
      expect([revoked.status, revoked.body]).toEqual([200, {}]);
      expect(await whoAt(gateway, tokens.access, 'linear')).toBe('unauthenticated');
      expect((await refresh(gateway, client, tokens.refresh)).body.error).toBe('invalid_grant');
    }
  });

  // promises: OAUTH-9
  it('ends with the connection: a new one of the same name inherits nothing', async () => {
    await makeMcpConnection(gateway, 'short-lived');
    const client = await registerClient(gateway);
    const tokens = await tokensFor(gateway, client, 'short-lived');
    const code = (await allow(gateway, client, 'short-lived')).get('code');
    await gateway.call('admin', 'DELETE', '/connections/short-lived');
    await makeMcpConnection(gateway, 'short-lived');
    expect(await whoAt(gateway, tokens.access, 'short-lived')).toBe('unauthenticated');
    expect((await refresh(gateway, client, tokens.refresh)).body.error).toBe('invalid_grant');
    expect((await redeem(gateway, client, code)).body.error).toBe('invalid_grant');
  });

  // promises: OAUTH-9
  it('follows the person: groups as they are now, and nothing for who is inactive or deleted', async () => {
    const client = await registerClient(gateway);
    const tokens = await tokensFor(gateway, client, 'linear', 'bob');
    const code = (await allow(gateway, client, 'linear', 'bob')).get('code');
    await gateway.call('admin', 'PATCH', '/users/bob', { status: 'inactive' });
    expect(await whoAt(gateway, tokens.access, 'linear')).toBe('unauthenticated');
    expect((await refresh(gateway, client, tokens.refresh)).body.error).toBe('invalid_grant');
    expect((await redeem(gateway, client, code)).body.error).toBe('invalid_grant');
    await gateway.call('admin', 'PATCH', '/users/bob', { status: 'active' });
    expect(await whoAt(gateway, tokens.access, 'linear')).toBe('bob');
    await gateway.call('admin', 'DELETE', '/users/bob');
    expect(await whoAt(gateway, tokens.access, 'linear')).toBe('unauthenticated');
  });

  // promises: OAUTH-6
  it('is refused by the person, or for a connection that the person may not open', async () => {
    const client = await registerClient(gateway);
    const browser = new Browser();
    const page = await reachConsent(browser, authorizeUrl(gateway, client, 'linear'), 'alice');
    const refused = new URL((await press(browser, page, 'refuse')).headers.get('location') ?? '');
    expect(Object.fromEntries(refused.searchParams)).toMatchObject({
      error: 'access_denied',
      state: 'state of the client',
      iss: origin(),
    });
    const again = await press(browser, page, 'allow');
    expect(again.status).toBe(400);

    for (const name of ['for-admins', 'no-such-connection']) {
      const { response } = await reachConsent(new Browser(), authorizeUrl(gateway, client, name), 'alice');
      const { searchParams } = new URL(response.headers.get('location') ?? '');
      expect(Object.fromEntries(searchParams)).toEqual({
        error: 'invalid_target',
        error_description: `there is no MCP connection ${name} that this person may open`,
        state: 'state of the client',
        iss: origin(),
      });
    }
    const admin = await reachConsent(new Browser(), authorizeUrl(gateway, client, 'for-admins'), 'admin');
    expect(admin.response.status).toBe(200);
  });

  it('goes on in two tabs of one browser at once', async () => {
    const client = await registerClient(gateway);
    const browser = new Browser();
    const pages = [];
    for (const name of ['linear', 'github'])
      pages.push(await reachConsent(browser, authorizeUrl(gateway, client, name), 'alice'));
    for (const page of pages) expect((await press(browser, page, 'allow')).status).toBe(303);
  });

  // promises: OAUTH-11
  it('has its lines in the audit log', async () => {
    const { body } = await gateway.call(
      'admin',
      'GET',
      '/audit/logs?resource_type=authorizations&page_size=1000',
    );
    const lines = body.data.map((line: Record<string, unknown>) =>
      [line['action'], line['outcome'], (line['actor'] as { id: string }).id].join(' '),
    );
    for (const line of [
      'create success alice',
      'create denied alice',
      'delete success alice',
      'delete failed alice',
    ])
      expect(lines).toContain(line);
    expect(JSON.stringify(body)).toContain('a refresh token was used twice');
    expect(JSON.stringify(body)).not.toMatch(/gw[tcr]_/);
  });
});

describeGateway('MCP_AUTHORIZATION=idp', { environment: { MCP_AUTHORIZATION: 'idp' } }, ({ gateway }) => {
  // promises: OAUTH-2
  it('leads to the identity provider, and has no authorization server of its own', async () => {
    const { origin } = new URL(gateway.api);
    const resource = await fetch(`${origin}/.well-known/oauth-protected-resource/api/mcp/linear`);
    expect(await resource.json()).toMatchObject({ authorization_servers: [gateway.provider.issuer] });
    expect((await fetch(`${origin}/.well-known/oauth-authorization-server`)).status).toBe(404);
    const { headers } = await fetch(`${gateway.api}/mcp/linear`, { method: 'POST' });
    // The provider does not know our scope, and would refuse a request for it.
    expect(headers.get('www-authenticate')).toBe(`Bearer resource_metadata="${resource.url}"`);
    for (const path of ['/authorize', '/consent', '/token', '/revoke', '/register'])
      for (const method of ['GET', 'POST'])
        expect((await fetch(`${gateway.api}/oauth${path}`, { method })).status).toBe(404);
  });
});
