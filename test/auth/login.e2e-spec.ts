import { createHash } from 'node:crypto';
import { describeScoped } from '../support/describe';
import { whoIs } from '../support/callers';
import { type Answer, startGateway } from '../support/gateway';
import { signIn } from '../support/browser-sign-in';
import { captureLog } from '../support/log';
import { beginLogin, comeBack, signInAt } from '../support/login';

const COMMAND_LINE = 'http://127.0.0.1:3587/callback';
const sha256 = (text: string) => createHash('sha256').update(text).digest();
const fragmentOf = (answer: Answer) =>
  new URLSearchParams(new URL(answer.headers.get('location') ?? '').hash.slice(1));

const SETTINGS = {
  environment: { LOG_LEVEL: 'trace', LOGIN_REDIRECTS: 'https://portal.example.com' },
};

describeScoped('signing in', (begin) => {
  const log = begin(captureLog, (captured) => captured.restore());
  const gateway = begin(() => startGateway(SETTINGS));

  const rows = () =>
    gateway.database.query<Record<string, unknown>>('SELECT * FROM login_states ORDER BY expires_at');
  const refusal = (message: string) => [400, { message }];
  const OVER = refusal('this sign-in is unknown, used or expired; please start again');
  const ELSEWHERE = refusal('this sign-in was started in another browser; please start again');
  const said = (answer: Answer) => [answer.status, answer.body];

  // promises: LOGIN-1, SERVER-1
  it('begins with code flow, PKCE, state and nonce, and a cookie for this browser', async () => {
    const answer = await gateway.call(null, 'GET', '/login');
    const url = new URL(answer.body.login_url as string);
    expect(url.origin).toBe(gateway.provider.issuer);
    expect(Object.fromEntries(url.searchParams)).toEqual({
      response_type: 'code',
      client_id: 'access-gateway',
      redirect_uri: `${gateway.api}/callback`,
      scope: 'openid email profile groups',
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    });
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const [cookie = '', ...flags] = answer.headers.getSetCookie()[0]?.split('; ') ?? [];
    expect(flags.filter((flag) => !flag.startsWith('Expires'))).toEqual([
      'Max-Age=600',
      'Path=/api',
      'HttpOnly',
      'SameSite=Lax',
    ]);

    // The stored row has only hashes of the secret values that complete the sign-in.
    const [row] = await rows();
    expect(row).toMatchObject({
      state_hash: sha256(url.searchParams.get('state') ?? ''),
      browser_hash: sha256(cookie.split('=')[1] ?? ''),
      redirect: `${gateway.api}/docs`,
    });
    expect(Math.abs(Number(row?.['expires_at']) - Date.now() - 600_000)).toBeLessThan(60_000);
  });

  // promises: LOGIN-3, AUTH-2
  it('ends with the token in the fragment, and nowhere else', async () => {
    const login = await beginLogin(gateway, 'https://portal.example.com/welcome?tab=1');
    const answer = await signInAt(gateway, login, 'alice');
    expect(answer.status).toBe(307);
    const location = new URL(answer.headers.get('location') ?? '');
    expect(`${location.origin}${location.pathname}${location.search}`).toBe(
      'https://portal.example.com/welcome?tab=1',
    );
    const token = fragmentOf(answer).get('access_token') ?? '';
    expect((await whoIs(gateway, token)).body.id).toBe('alice');
    expect(Number(fragmentOf(answer).get('expires_in'))).toBeGreaterThan(0);
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.getSetCookie()).toEqual([]);
    const elsewhere = [...answer.headers].filter(([name]) => name !== 'location').flat();
    expect(`${answer.text}${elsewhere.join()}`).not.toContain(token);
  });

  // promises: LOGIN-4
  it('cannot be replayed: neither the state nor the code', async () => {
    const login = await beginLogin(gateway);
    const { search } = await signIn(login.url, 'alice');
    expect((await comeBack(gateway, search, login.cookie)).status).toBe(307);
    expect(said(await comeBack(gateway, search, login.cookie))).toEqual(OVER);

    const next = await beginLogin(gateway);
    const stolen = new URLSearchParams(search);
    stolen.set('state', next.state);
    const answer = await comeBack(gateway, `?${stolen.toString()}`, next.cookie);
    expect(answer.headers.get('location')).toMatch(/\/docs\?error=\w+$/);
  });

  it('admits one of concurrent callbacks', async () => {
    const login = await beginLogin(gateway);
    const { search } = await signIn(login.url, 'alice');
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => comeBack(gateway, search, login.cookie)),
    );
    expect(answers.filter((answer) => answer.status === 307)).toHaveLength(1);
    expect(answers.filter((answer) => answer.status === 400)).toHaveLength(7);
  });

  // promises: LOGIN-4
  it('expires after ten minutes, and leaves no rows behind', async () => {
    const login = await beginLogin(gateway);
    const { search } = await signIn(login.url, 'alice');
    await gateway.database.query(`UPDATE login_states SET expires_at = expires_at - interval '10 minutes'`);
    expect(said(await comeBack(gateway, search, login.cookie))).toEqual(OVER);
    await beginLogin(gateway);
    expect(await rows()).toHaveLength(1);
  });

  // promises: LOGIN-9
  it('does not pile up: the oldest go first', async () => {
    await gateway.database.query(
      `INSERT INTO login_states (org_id, state_hash, code_verifier, nonce, redirect, expires_at)
       SELECT id, sha256(n::text::bytea), '', '', '', now() + interval '8 minutes' - interval '10 ms' * n
       FROM organizations, generate_series(1, 11000) AS n`,
    );
    const login = await beginLogin(gateway);
    expect(await rows()).toHaveLength(10_000);
    const flood = await gateway.database.query<{ oldest: boolean; newest: boolean }>(
      `SELECT bool_or(state_hash = sha256('11000')) AS oldest, bool_or(state_hash = sha256('1')) AS newest FROM login_states`,
    );
    expect(flood).toEqual([{ oldest: false, newest: true }]);
    const { search } = await signIn(login.url, 'alice');
    expect((await comeBack(gateway, search, login.cookie)).status).toBe(307);
    await gateway.database.query('DELETE FROM login_states');
  });

  // promises: LOGIN-4
  it('belongs to the browser that began it', async () => {
    for (const cookie of [undefined, 'gateway_login=', 'gateway_login=another', 'xgateway_login=x', 'x']) {
      const login = await beginLogin(gateway);
      const { search } = await signIn(login.url, 'alice');
      expect(said(await comeBack(gateway, search, cookie))).toEqual(ELSEWHERE);
      // The failed attempt has used up the `state` of the sign-in.
      expect(said(await comeBack(gateway, search, login.cookie))).toEqual(OVER);
    }
    const [mine, other] = [await beginLogin(gateway), await beginLogin(gateway)];
    const { search } = await signIn(mine.url, 'alice');
    expect(said(await comeBack(gateway, search, other.cookie))).toEqual(ELSEWHERE);
  });

  // promises: LOGIN-6
  it('needs no cookie on a command line, and only there', async () => {
    const login = await beginLogin(gateway, COMMAND_LINE);
    const { search } = await signIn(login.url, 'alice');
    const answer = await comeBack(gateway, search);
    expect(answer.headers.get('location')).toMatch(/^http:\/\/127\.0\.0\.1:3587\/callback#access_token=/);
    for (const redirect of ['https://portal.example.com/', `${gateway.api}/docs`]) {
      const { url } = await beginLogin(gateway, redirect);
      expect(said(await comeBack(gateway, (await signIn(url, 'alice')).search))).toEqual(ELSEWHERE);
    }
  });

  // promises: LOGIN-5
  it('goes back with ?error= when it is cancelled, or fails', async () => {
    const cancelled = await beginLogin(gateway, `${COMMAND_LINE}?id=7`);
    const answer = await comeBack(gateway, (await signIn(cancelled.url, 'alice', { cancel: 'yes' })).search);
    expect([answer.status, answer.headers.get('location')]).toEqual([
      307,
      `${COMMAND_LINE}?id=7&error=access_denied`,
    ]);

    for (const query of [
      '',
      '&code=made-up',
      '&code=a&code=b',
      '&code=x&iss=https%3A%2F%2Fevil.example.com',
    ]) {
      const login = await beginLogin(gateway);
      const failed = await comeBack(gateway, `?state=${login.state}${query}`, login.cookie);
      expect(failed.status).toBe(307);
      expect(failed.headers.get('location')).toMatch(new RegExp(`^${gateway.api}/docs\\?error=\\w+$`));
    }
  });

  it('ignores a redirect in the callback', async () => {
    const login = await beginLogin(gateway);
    const error = encodeURIComponent('x\r\nset-cookie: a=b&redirect=//evil.example.com#<script>');
    const answer = await comeBack(gateway, `?state=${login.state}&error=${error}`, login.cookie);
    const location = new URL(answer.headers.get('location') ?? '');
    expect([location.origin, location.pathname, location.hash]).toEqual([
      new URL(gateway.api).origin,
      '/api/docs',
      '',
    ]);
    expect([...location.searchParams.keys()]).toEqual(['error']);
  });

  it.each([
    '',
    '?',
    '?code=x',
    '?state=',
    '?state=unknown',
    `?state=${'x'.repeat(8_000)}`,
    '?state=%00',
    '?state=%ff',
    "?state='--",
  ])('a callback without a sign-in is 400: %#', async (query) =>
    expect(said(await comeBack(gateway, query, 'gateway_login=x'))).toEqual(OVER),
  );

  // promises: LOGIN-7
  it('has left no token, code, state or secret in the log', async () => {
    const login = await beginLogin(gateway, COMMAND_LINE);
    const { search } = await signIn(login.url, 'alice');
    const token = fragmentOf(await comeBack(gateway, search)).get('access_token') ?? 'none';
    await whoIs(gateway, `${token}x`);
    await comeBack(gateway, `?state=${login.state}&code=planted-code`);
    const failing = await beginLogin(gateway, COMMAND_LINE);
    await comeBack(gateway, `?state=${failing.state}&code=planted-code&error=planted-error`);

    const text = log.text();
    expect(text).toContain('"err":{"name":"AuthorizationResponseError","message":"authorization response');
    const secrets = [
      token,
      token.split('.')[2] ?? 'none',
      ...new URLSearchParams(search).values(),
      failing.state,
      login.cookie.split('=')[1] ?? 'none',
      'planted-code',
      'test-secret',
    ];
    for (const secret of secrets.filter((value) => value !== gateway.provider.issuer))
      expect(text).not.toContain(secret);
  });
});
