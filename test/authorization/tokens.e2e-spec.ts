import { randomBytes } from 'node:crypto';
import { ExpiredRows } from '../../src/mcp/authorization-server/stored/expired-rows';
import { describeGateway } from '../support/describe';
import { eventually } from '../support/eventually';
import { startGateway } from '../support/gateway';
import {
  type McpClient,
  allow,
  makeMcpConnection,
  postJson,
  redeem,
  refresh,
  registerClient,
  tokensFor,
  whoAt,
} from '../support/mcp-sign-in';
import { volume } from '../support/volume';
import { changedAt } from '../support/changed-letter';

describeGateway('tokens of MCP clients', ({ gateway, begin }) => {
  const other = begin(() => startGateway({ beside: gateway }));
  let client: McpClient;

  beforeAll(async () => {
    for (const name of ['linear', 'github']) await makeMcpConnection(gateway, name);
    client = await registerClient(gateway);
  });

  // promises: OAUTH-8
  it('end when a refresh token is used at two gateways at once', async () => {
    for (let n = 0; n < volume(3, 50); n++) {
      const tokens = await tokensFor(gateway, client, 'linear');
      const answers = await Promise.all(
        [gateway, other, gateway, other].map((one) => refresh(one, client, tokens.refresh)),
      );
      const good = answers.filter(({ status }) => status === 200);
      expect(good.length).toBeLessThanOrEqual(1);
      for (const { body } of good)
        expect((await refresh(other, client, body.refresh_token)).body.error).toBe('invalid_grant');
      const left = await gateway.database.query(
        'SELECT 1 FROM authorization_tokens t JOIN authorizations a ON a.id = t.authorization_id WHERE a.client_id = $1',
        [client.id],
      );
      expect(left).toEqual([]);
    }
  });

  // promises: OAUTH-9
  it('are good at every gateway, and end at every gateway', async () => {
    const tokens = await tokensFor(gateway, client, 'linear');
    const { access } = tokens;
    // A token is valid for the gateway's own address. In this test, the other gateway has another port.
    expect(await whoAt(gateway, access, 'linear')).toBe('alice');
    expect(await whoAt(other, access, 'linear')).toBe('alice');
    await refresh(other, client, tokens.refresh);
    await refresh(other, client, tokens.refresh);
    await eventually(
      'the token ends',
      async () => (await whoAt(gateway, access, 'linear')) === 'unauthenticated',
    );
    expect(await whoAt(other, access, 'linear')).toBe('unauthenticated');
  });

  // promises: OAUTH-7
  it('expire after an hour, and leave no rows behind', async () => {
    const { access } = await tokensFor(gateway, client, 'linear');
    await gateway.database.query(
      `UPDATE authorization_tokens SET expires_at = expires_at - interval '1 hour' WHERE kind = 'access'`,
    );
    expect(await whoAt(other, access, 'linear')).toBe('unauthenticated');
    await gateway.app.get(ExpiredRows).remove();
    const count = async () =>
      (await gateway.database.query<{ kind: string }>('SELECT kind FROM authorization_tokens')).map(
        ({ kind }) => kind,
      );
    expect(await count()).not.toContain('access');
    expect(await count()).toContain('refresh');
    await gateway.database.query(`UPDATE authorizations SET expires_at = now() - interval '1 s'`);
    await gateway.app.get(ExpiredRows).remove();
    expect(await count()).toEqual([]);
  });

  // promises: OAUTH-7
  it('that are forged, or of another connection, are never accepted', async () => {
    const { access } = await tokensFor(gateway, client, 'linear');
    const code = (await allow(gateway, client, 'linear')).get('code') ?? '';
    let accepted = 0;
    const tries = volume(200, 1_000);
    for (let n = 0; n < tries; n++) {
      const random = randomBytes(32).toString('base64url');
      const at = 4 + (n % 43);
      const flipped = changedAt(access, at);
      const forged = [
        `gwt_${random}`,
        flipped,
        access.slice(0, at),
        `${access}${random[0]}`,
        access.toUpperCase(),
      ];
      const bearer = forged[n % forged.length] ?? '';
      for (const who of [await whoAt(gateway, bearer, 'linear'), await whoAt(gateway, access, 'github')])
        if (who !== 'unauthenticated' && who !== 'too_many_requests') accepted += 1;
    }
    console.info(JSON.stringify({ forgedTokens: tries, ofAnotherConnection: tries, accepted }));
    expect(accepted).toBe(0);
    expect(await whoAt(gateway, access, 'linear')).toBe('alice');
    expect((await redeem(gateway, client, code)).status).toBe(200);
  });
});

describeGateway('registrations of MCP clients', ({ gateway }) => {
  const register = (body: unknown) => postJson(gateway, '/oauth/register', body);
  const uris = (...redirect_uris: unknown[]) => ({ redirect_uris });

  // promises: OAUTH-5
  it('are answered with what was accepted', async () => {
    const { status, body, headers } = await register({
      client_name: ' Cursor ',
      redirect_uris: ['http://localhost:1/cb', 'https://app.example.com/cb', 'http://[::1]/cb'],
      token_endpoint_auth_method: 'client_secret_post',
      grant_types: ['authorization_code', 'refresh_token', 'password'],
      application_type: 'native',
      unknown: { a: 1 },
    });
    expect([status, headers.get('cache-control')]).toEqual([201, 'no-store']);
    expect(body).toEqual({
      client_id: expect.stringMatching(/^gwa_[\w-]{43}$/),
      client_id_issued_at: expect.any(Number),
      client_name: 'Cursor',
      redirect_uris: ['http://localhost:1/cb', 'https://app.example.com/cb', 'http://[::1]/cb'],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      scope: 'mcp',
    });
  });

  // promises: OAUTH-5
  it.each([
    [uris(), 'invalid_redirect_uri'],
    [{}, 'invalid_redirect_uri'],
    [{ redirect_uris: 'https://app.example.com/cb' }, 'invalid_redirect_uri'],
    [uris('https://app.example.com/cb', 'http://app.example.com/cb'), 'invalid_redirect_uri'],
    [uris('javascript:alert(1)'), 'invalid_redirect_uri'],
    [uris('cursor://user@callback'), 'invalid_redirect_uri'],
    [uris('file:///etc/passwd'), 'invalid_redirect_uri'],
    [uris('cursor://callback', 'ms-msdt:/id'), 'invalid_redirect_uri'],
    [uris('https://app.example.com/cb#x'), 'invalid_redirect_uri'],
    [uris('https://user@app.example.com/cb'), 'invalid_redirect_uri'],
    [uris('http://localhost.evil.example.com/cb'), 'invalid_redirect_uri'],
    [uris(`https://app.example.com/${'x'.repeat(2_100)}`), 'invalid_redirect_uri'],
    [uris(...Array.from({ length: 21 }, (_, n) => `https://app.example.com/${n}`)), 'invalid_redirect_uri'],
    [uris(7), 'invalid_redirect_uri'],
    [uris(null), 'invalid_redirect_uri'],
    [{ ...uris('https://app.example.com/cb'), client_name: 7 }, 'invalid_client_metadata'],
    [
      { ...uris('https://app.example.com/cb'), grant_types: ['client_credentials'] },
      'invalid_client_metadata',
    ],
    [{ ...uris('https://app.example.com/cb'), response_types: 'code' }, 'invalid_client_metadata'],
    [[], 'invalid_client_metadata'],
    ['null', 'invalid_client_metadata'],
    ['{', 'invalid_client_metadata'],
  ])('are refused in words: %j', async (body, error) => {
    const answer = await register(body);
    expect([answer.status, answer.body]).toEqual([400, { error, error_description: expect.any(String) }]);
  });

  it('are JSON of a bounded size', async () => {
    const send = (body: string, type: string) =>
      fetch(`${gateway.api}/oauth/register`, { method: 'POST', headers: { 'content-type': type }, body });
    expect((await send('{}', 'text/plain')).status).toBe(415);
    expect((await send('x'.repeat(70_000), 'application/json')).status).toBe(413);
    expect((await fetch(`${gateway.api}/oauth/register`)).status).toBe(405);
    expect((await fetch(`${gateway.api}/oauth/token`, { method: 'PUT' })).headers.get('allow')).toBe('POST');
  });

  // promises: OAUTH-5
  it('do not pile up: the oldest that nobody used go first, and those without use expire', async () => {
    const [{ org_id: orgId } = {}] = await gateway.database.query<{ org_id: string }>(
      'SELECT org_id FROM authorization_clients LIMIT 1',
    );
    await gateway.database.query(
      `INSERT INTO authorization_clients (org_id, id, name, redirect_uris, created_at)
       SELECT $1, 'flood-' || n, '', '{}', now() - interval '1 minute' * n FROM generate_series(1, 6000) n`,
      [orgId],
    );
    const { body } = await register(uris('https://app.example.com/cb'));
    const rows = await gateway.database.query<{ id: string }>('SELECT id FROM authorization_clients');
    expect(rows).toHaveLength(5_000);
    expect(rows.map(({ id }) => id)).toContain(body.client_id);
    expect(rows.map(({ id }) => id)).not.toContain('flood-6000');

    await gateway.database.query(`UPDATE authorization_clients SET created_at = now() - interval '25 hours'`);
    await gateway.database.query(`UPDATE authorization_clients SET used_at = now() WHERE id = $1`, [
      body.client_id,
    ]);
    await gateway.app.get(ExpiredRows).remove();
    expect(await gateway.database.query('SELECT id FROM authorization_clients')).toEqual([
      { id: body.client_id },
    ]);
    await gateway.database.query(`UPDATE authorization_clients SET used_at = now() - interval '91 days'`);
    await gateway.app.get(ExpiredRows).remove();
    expect(await gateway.database.query('SELECT id FROM authorization_clients')).toEqual([]);
  });
});

describeGateway('floods', { environment: { LOGINS_PER_MINUTE: '5' } }, ({ gateway }) => {
  // promises: OAUTH-10
  it.each([
    ['GET', '/oauth/authorize', 'text/html; charset=utf-8'],
    ['GET', '/oauth/consent', 'text/html; charset=utf-8'],
    ['POST', '/oauth/token', 'application/json; charset=utf-8'],
    ['POST', '/oauth/revoke', 'application/json; charset=utf-8'],
    ['POST', '/oauth/register', 'application/json; charset=utf-8'],
  ])('are limited for each address: %s %s', async (method, path, type) => {
    const answers = [];
    for (let n = 0; n < 7; n++) answers.push(await fetch(`${gateway.api}${path}`, { method }));
    expect(answers.map(({ status }) => status === 429)).toEqual([
      false,
      false,
      false,
      false,
      false,
      true,
      true,
    ]);
    const last = answers.at(-1);
    expect([last?.headers.get('content-type'), Number(last?.headers.get('retry-after')) > 0]).toEqual([
      type,
      true,
    ]);
  });
});
