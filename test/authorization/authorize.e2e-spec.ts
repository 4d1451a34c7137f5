import { describeGateway, describeScoped } from '../support/describe';
import { Browser, signIn } from '../support/browser-sign-in';
import { captureLog } from '../support/log';
import { startGateway } from '../support/gateway';
import {
  LOOPBACK_URI,
  type McpClient,
  allow,
  authorizeUrl,
  makeMcpConnection,
  newVerifier,
  press,
  reachConsent,
  redeem,
  refresh,
  registerClient,
  resourceOf,
  signInFor,
  tokensFor,
} from '../support/mcp-sign-in';

const HOSTED = 'https://app.example.com/oauth/callback?tenant=7';

describeGateway('the authorization endpoint', ({ gateway }) => {
  let client: McpClient;
  let hosted: McpClient;
  const begin = (url: URL, browser = new Browser()) => browser.request(url);

  beforeAll(async () => {
    await makeMcpConnection(gateway, 'linear');
    client = await registerClient(gateway);
    hosted = await registerClient(gateway, { client_name: 'Hosted', redirect_uris: [HOSTED] });
  });

  // promises: OAUTH-4
  it.each([
    'https://evil.example.com/oauth/callback?tenant=7',
    'https://app.example.com/oauth/callback',
    'https://app.example.com/oauth/callback?tenant=7&x=1',
    'https://app.example.com/oauth/callback?tenant=7#x',
    'https://app.example.com/oauth/callback/?tenant=7',
    'https://app.example.com/oauth/callback?tenant=%37',
    'https://app.example.com/oauth/../oauth/callback?tenant=7',
    'https://app.example.com:443/oauth/callback?tenant=7',
    'https://app.example.com:8443/oauth/callback?tenant=7',
    'https://app.example.com@evil.example.com/oauth/callback?tenant=7',
    'https://evil.example.com@app.example.com/oauth/callback?tenant=7',
    'https://app.example.com.evil.example.com/oauth/callback?tenant=7',
    'https://APP.example.com/oauth/callback?tenant=7',
    'https:/app.example.com/oauth/callback?tenant=7',
    'https:app.example.com/oauth/callback?tenant=7',
    'https:\\\\app.example.com/oauth/callback?tenant=7',
    'http://app.example.com/oauth/callback?tenant=7',
    '//app.example.com/oauth/callback?tenant=7',
    '/oauth/callback?tenant=7',
    'javascript:alert(1)',
    'data:text/html,x',
    'https://app.example.com/oauth/callback?tenant=7\t',
    'https://app.example.com/oauth/\r\ncallback?tenant=7',
    'https://app.example.com/oauth%2fcallback?tenant=7',
    'https://áapp.example.com/oauth/callback?tenant=7',
    'http://127.0.0.1:3333/callback',
    '',
  ])('never redirects to what is not the client’s: %j', async (redirect_uri) => {
    const answer = await begin(authorizeUrl(gateway, hosted, 'linear', { redirect_uri }));
    expect([answer.status, answer.headers.get('location')]).toEqual([400, null]);
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
  });

  // promises: OAUTH-4
  it('takes any port of a loopback host, and nothing else that differs', async () => {
    for (const uri of [
      'http://127.0.0.1:1/callback',
      'http://127.0.0.1:65535/callback',
      'http://127.0.0.1/callback',
    ])
      expect([
        uri,
        (await begin(authorizeUrl(gateway, client, 'linear', { redirect_uri: uri }))).status,
      ]).toEqual([uri, 303]);
    for (const uri of [
      'http://127.0.0.1:3333/callback2',
      'http://127.0.0.1:3333/callback?x=1',
      'http://127.0.0.1:3333@evil.example.com/callback',
      'http://127.0.0.1:3333.evil.example.com/callback',
      'http://127.0.0.1:99999/callback',
      'http://127.0.0.2:3333/callback',
      'http://127.1:3333/callback',
      'http://localhost:3333/callback',
      'http://[::1]:3333/callback',
      'http://2130706433:3333/callback',
      'https://127.0.0.1:3333/callback',
    ]) {
      const answer = await begin(authorizeUrl(gateway, client, 'linear', { redirect_uri: uri }));
      expect([uri, answer.status, answer.headers.get('location')]).toEqual([uri, 400, null]);
    }
  });

  // promises: OAUTH-4
  it.each([
    'no-such-client',
    'gwa_x',
    'http://app.example.com/client.json',
    'https://app.example.com',
    '',
    '%00',
  ])('answers an unknown client with a page: %j', async (client_id) => {
    const answer = await begin(authorizeUrl(gateway, client, 'linear', { client_id }));
    expect([answer.status, answer.headers.get('location')]).toEqual([400, null]);
    expect(await answer.text()).toMatch(/^<!doctype html>/);
  });

  // promises: OAUTH-3
  it('tells a known client what is wrong, at its redirect URI', async () => {
    const bad: [Record<string, string | undefined>, string][] = [
      [{ code_challenge: undefined }, 'invalid_request'],
      [{ code_challenge: 'short' }, 'invalid_request'],
      [{ code_challenge_method: 'plain' }, 'invalid_request'],
      [{ code_challenge_method: undefined }, 'invalid_request'],
      [{ code_challenge_method: 's256' }, 'invalid_request'],
      [{ response_type: 'token' }, 'unsupported_response_type'],
      [{ response_type: undefined }, 'invalid_request'],
      [{ resource: undefined }, 'invalid_request'],
      [{ resource: 'https://mcp.example.com/mcp' }, 'invalid_target'],
      [{ resource: gateway.api }, 'invalid_target'],
      [{ resource: `${resourceOf(gateway, 'linear')}/../../sessions` }, 'invalid_target'],
      [{ resource: `${resourceOf(gateway, 'linear')}#x` }, 'invalid_target'],
    ];
    for (const [more, error] of bad) {
      const answer = await begin(authorizeUrl(gateway, hosted, 'linear', more));
      const location = new URL(answer.headers.get('location') ?? '');
      expect([more, answer.status, `${location.origin}${location.pathname}`]).toEqual([
        more,
        303,
        'https://app.example.com/oauth/callback',
      ]);
      expect([more, Object.fromEntries(location.searchParams)]).toEqual([
        more,
        {
          tenant: '7',
          error,
          error_description: expect.any(String),
          state: 'state of the client',
          iss: new URL(gateway.api).origin,
        },
      ]);
    }
  });

  // promises: OAUTH-3
  it('takes no parameter twice', async () => {
    for (const name of ['client_id', 'redirect_uri', 'resource', 'code_challenge', 'state']) {
      const url = authorizeUrl(gateway, client, 'linear');
      url.searchParams.append(name, url.searchParams.get(name) ?? '');
      const answer = await begin(url);
      expect([name, answer.status, answer.headers.get('location')]).toEqual([name, 400, null]);
    }
  });

  // promises: OAUTH-6
  it('goes on in the browser that began it alone', async () => {
    const [mine, other] = [new Browser(), new Browser()];
    const page = await reachConsent(mine, authorizeUrl(gateway, client, 'linear'), 'alice');
    await begin(authorizeUrl(gateway, client, 'linear'), other);
    for (const browser of [other, new Browser()]) {
      const stolen = await browser.request(page.url);
      expect([stolen.status, await stolen.text()]).toEqual([400, expect.stringContaining('another browser')]);
      expect((await press(browser, page, 'allow')).status).toBe(400);
    }
    // If one browser begins a sign-in and another browser completes it, the first browser is not signed in.
    const url = authorizeUrl(gateway, client, 'linear');
    const begun = await mine.request(url);
    const victim = new Browser();
    await victim.request(url);
    const callback = await signIn(begun.headers.get('location') ?? '', 'admin');
    expect((await victim.request(callback)).status).toBe(400);
    expect((await press(mine, page, 'allow')).status).toBe(303);
  });

  // promises: OAUTH-6
  it('believes no form but its own', async () => {
    const browser = new Browser();
    const page = await reachConsent(browser, authorizeUrl(gateway, client, 'linear'), 'alice');
    for (const more of [{ proof: '' }, { proof: 'x'.repeat(43) }, { decision: 'yes' }, { decision: '' }]) {
      const answer = await press(browser, page, 'allow', more);
      expect([more, answer.status, answer.headers.get('location')]).toEqual([
        more,
        'proof' in more ? 403 : 400,
        null,
      ]);
    }
    for (const origin of [
      'https://evil.example.com',
      `${new URL(gateway.api).origin}0`,
      'http://localhost',
    ]) {
      const answer = await press(browser, page, 'allow', {}, { origin });
      expect([origin, answer.status]).toEqual([origin, 403]);
    }
    for (const site of ['cross-site', 'same-site', 'none']) {
      const answer = await press(browser, page, 'allow', {}, { 'sec-fetch-site': site });
      expect([site, answer.status]).toEqual([site, 403]);
    }
    expect((await press(browser, page, 'allow', {}, { 'sec-fetch-site': 'same-origin' })).status).toBe(303);
  });

  // promises: OAUTH-6
  it('asks each time, on a page without scripts that no other page can frame', async () => {
    const browser = new Browser();
    for (let n = 0; n < 2; n++) {
      const page = await reachConsent(browser, authorizeUrl(gateway, client, 'linear'), 'alice');
      expect(page.response.status).toBe(200);
      expect(page.html).toContain('Any program on it can say that it is this application');
      expect(page.html).not.toMatch(/<script|javascript:|\bon\w+=|src=|href=/i);
      expect(Object.fromEntries(page.response.headers)).toMatchObject({
        'content-security-policy': expect.stringMatching(
          /^default-src 'none'; style-src 'sha256-[^']+'; form-action 'self' http: https:; frame-ancestors 'none'; base-uri 'none'$/,
        ),
        'x-frame-options': 'DENY',
        'referrer-policy': 'no-referrer',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
      });
      await press(browser, page, 'allow');
    }
  });

  it('shows names of clients as text, without what is invisible', async () => {
    const named = await registerClient(gateway, {
      client_name: '<script>alert(1)</script>\u202eGitHub "&\u200b',
      redirect_uris: ['https://xn--pple-43d.example/cb'],
    });
    const { html } = await reachConsent(new Browser(), authorizeUrl(gateway, named, 'linear'), 'alice');
    expect(html).toContain('<dd>&lt;script&gt;alert(1)&lt;/script&gt;GitHub &quot;&amp;</dd>');
    expect(html).toContain('<dd>xn--pple-43d.example</dd>');
    expect(html).toContain('its name is not checked');
  });

  it('ends a sign-in that is cancelled at the client', async () => {
    const browser = new Browser();
    const consent = await signInFor(browser, authorizeUrl(gateway, client, 'linear'), 'alice', {
      cancel: 'yes',
    });
    const back = new URL((await browser.request(consent)).headers.get('location') ?? '');
    expect(`${back.origin}${back.pathname}`).toBe(LOOPBACK_URI);
    expect(back.searchParams.get('error')).toBe('access_denied');
  });

  // promises: OAUTH-8
  it('gives codes that are good for their client, URI and verifier alone; a wrong use ends them', async () => {
    const other = await registerClient(gateway);
    const wrong: Record<string, string>[] = [
      { client_id: other.id },
      { code_verifier: newVerifier() },
      { code_verifier: 'x' },
      { redirect_uri: 'http://127.0.0.1:3334/callback' },
    ];
    for (const more of wrong) {
      const code = (await allow(gateway, client, 'linear')).get('code');
      for (const form of [more, {}]) {
        const { status, body } = await redeem(gateway, client, code, form);
        expect([more, form, status, body.error]).toEqual([more, form, 400, 'invalid_grant']);
      }
    }
    const code = (await allow(gateway, client, 'linear')).get('code');
    for (const [more, error] of [
      [{ resource: resourceOf(gateway, 'other') }, 'invalid_target'],
      [{ resource: 'https://mcp.example.com' }, 'invalid_target'],
      [{ code_verifier: '' }, 'invalid_request'],
      [{ client_id: '' }, 'invalid_request'],
      [{ grant_type: 'password' }, 'unsupported_grant_type'],
      [{ grant_type: 'client_credentials' }, 'unsupported_grant_type'],
    ] as [Record<string, string>, string][])
      expect([more, (await redeem(gateway, client, code, more)).body.error]).toEqual([more, error]);
    expect((await redeem(gateway, client, code)).status).toBe(200);
  });

  // promises: OAUTH-8
  it('gives codes that are good once, for a minute', async () => {
    const code = (await allow(gateway, client, 'linear')).get('code');
    await gateway.database.query(
      `UPDATE authorization_tokens SET expires_at = expires_at - interval '61 s' WHERE kind = 'code' AND used_at IS NULL`,
    );
    expect((await redeem(gateway, client, code)).body.error).toBe('invalid_grant');

    const next = (await allow(gateway, client, 'linear')).get('code');
    const answers = await Promise.all(Array.from({ length: 8 }, () => redeem(gateway, client, next)));
    const good = answers.filter(({ status }) => status === 200);
    expect(good.length).toBeLessThanOrEqual(1);
    // The code was used more than once, so an attacker may have it. Therefore all tokens from it are revoked.
    for (const { body } of good)
      expect((await refresh(gateway, client, body.refresh_token)).body.error).toBe('invalid_grant');
  });

  // promises: OAUTH-14
  it('does not pile up: the oldest go first for which nobody has signed in', async () => {
    const [alice, bob] = [new Browser(), new Browser()];
    const page = await reachConsent(alice, authorizeUrl(gateway, client, 'linear'), 'alice');
    await gateway.database.query(
      `UPDATE authorization_requests SET expires_at = expires_at - interval '9 minutes'`,
    );
    await gateway.database.query(
      `INSERT INTO authorization_requests (org_id, id, browser_hash, client_id, redirect_uri, code_challenge, expires_at)
       SELECT organizations.id, gen_random_uuid(), sha256(n::text::bytea), 'flood', '', '',
         now() + interval '8 minutes' - interval '10 ms' * n
       FROM organizations, generate_series(1, 6000) AS n`,
    );
    const next = await reachConsent(bob, authorizeUrl(gateway, client, 'linear'), 'bob');
    const [row] = await gateway.database.query(
      `SELECT count(*)::int AS waiting, bool_or(browser_hash = sha256('6000')) AS oldest, bool_or(browser_hash = sha256('1')) AS newest
       FROM authorization_requests WHERE user_id IS NULL`,
    );
    // At most 5 000 requests wait for a sign-in. Bob then signed in for the newest one, so 4 999 wait.
    expect(row).toEqual({ waiting: 4_999, oldest: false, newest: true });
    expect((await press(alice, page, 'allow')).status).toBe(303);
    expect((await press(bob, next, 'allow')).status).toBe(303);
    await gateway.database.query(`DELETE FROM authorization_requests WHERE client_id = 'flood'`);
  });

  it('expires after ten minutes', async () => {
    const browser = new Browser();
    const page = await reachConsent(browser, authorizeUrl(gateway, client, 'linear'), 'alice');
    await gateway.database.query(
      `UPDATE authorization_requests SET expires_at = expires_at - interval '10 minutes'`,
    );
    expect((await browser.request(page.url)).status).toBe(400);
    expect((await press(browser, page, 'allow')).status).toBe(400);
  });
});

describeScoped('secrets of the authorization server', (begin) => {
  const log = begin(captureLog, (captured) => captured.restore());
  const gateway = begin(() => startGateway({ environment: { LOG_LEVEL: 'trace' } }));

  // promises: OAUTH-11
  it('are in no log line and in no row', async () => {
    await makeMcpConnection(gateway, 'linear');
    const client = await registerClient(gateway);
    const back = await allow(gateway, client, 'linear');
    const { body } = await redeem(gateway, client, back.get('code'));
    const renewed = await refresh(gateway, client, body.refresh_token);
    await refresh(gateway, client, body.refresh_token);
    const again = await tokensFor(gateway, client, 'linear');
    const secrets = [
      back.get('code') ?? '',
      body.access_token,
      body.refresh_token,
      renewed.body.access_token,
      renewed.body.refresh_token,
      again.access,
      client.verifier,
    ];
    const tables = [
      'authorization_requests',
      'authorizations',
      'authorization_tokens',
      'audit_log',
      'login_states',
    ];
    const rows = await Promise.all(
      tables.map((table) => gateway.database.query(`SELECT t::text AS row FROM ${table} t`)),
    );
    const stored = JSON.stringify(rows);
    expect(stored).toContain('linear');
    expect(log.text()).toContain('/api/oauth/token');
    for (const secret of secrets) {
      expect(secret.length).toBeGreaterThan(40);
      expect(log.text()).not.toContain(secret);
      expect(stored).not.toContain(secret);
    }
  });
});
