import { createHash, randomUUID } from 'node:crypto';
import { IdentityProviderClient } from '../../src/identity/auth/provider/identity-provider.client';
import { hashOfCookie } from '../../src/identity/auth/portal/portal-cookie';
import { PortalSessionRows } from '../../src/identity/auth/portal/portal-session-rows';
import { ChangeFeed } from '../../src/platform/database/feed/change-feed';
import { Clock } from '../../src/kernel/async/clock';
import { describeScoped } from '../support/describe';
import { eventually } from '../support/eventually';
import { type TestGateway, startGateway } from '../support/gateway';
import { captureLog } from '../support/log';
import { comeBack, signInAt } from '../support/login';
import {
  OWN_CHANGE,
  OWN_PAGE,
  beginAtPortal,
  browserWith,
  portalCookieIn,
  signInAtPortal,
} from '../support/portal';
import { outageOnce } from '../support/outage-once';
import { withSettings } from '../support/settings';

const ENDED = [401, { message: 'the sign-in at the portal has ended; sign in again' }];
const MINUTE = 60_000;

interface Row {
  cookie_hash: Buffer;
  secret: Buffer;
  used_at: Date;
}

describeScoped('the sign-in at the portal', (begin) => {
  const log = begin(captureLog, (captured) => captured.restore());
  const gateway = begin(() => startGateway({ environment: { LOG_LEVEL: 'trace' } }));
  const other = begin(() => startGateway({ beside: gateway, environment: { LOG_LEVEL: 'trace' } }));

  const said = ({ status, body }: { status: number; body: unknown }) => [status, body];
  const rows = () => gateway.database.query<Row>('SELECT * FROM portal_sessions');
  const person = async (browser: { cookie: string }, at: TestGateway = gateway) =>
    (await browserWith(at, browser.cookie).call('GET', '/userinfo')).body.id;

  afterEach(async () => {
    jest.restoreAllMocks();
    await gateway.database.query('DELETE FROM portal_sessions');
  });

  /** Moves the clocks of the gateways forward. */
  const later = (milliseconds: number, ...gateways: TestGateway[]) => {
    for (const { app } of gateways)
      jest.spyOn(app.get(Clock), 'now').mockImplementation(() => Date.now() + milliseconds);
  };

  // promises: PORTAL-1
  it('ends in a cookie that no script can read and no other site sends, and in no token', async () => {
    const answer = await signInAt(gateway, await beginAtPortal(gateway), 'alice');
    const portal = new URL('/', gateway.api).href;
    expect([answer.status, answer.headers.get('location')]).toEqual([307, portal]);
    const [pair = '', ...flags] = portalCookieIn(answer)?.split('; ') ?? [];
    expect(flags).toEqual(['Path=/', 'HttpOnly', 'SameSite=Strict']);
    expect(await person({ cookie: pair })).toBe('alice');

    const value = pair.split('=')[1] ?? '';
    expect(Buffer.from(value, 'base64url')).toHaveLength(32);
    const [row] = await rows();
    expect(row?.cookie_hash).toEqual(createHash('sha256').update(value).digest());
    expect(row?.secret.includes('eyJ')).toBe(false);
    expect(log.text()).not.toContain(value);
    expect(log.text()).not.toMatch(/"(refresh|access)_token":"(?!\[)/);
  });

  it('is for the whole host and https only, where the gateway is reached by https', async () => {
    const secure = await startGateway({
      beside: gateway,
      environment: { API_URL: 'https://gateway.example.com' },
    });
    try {
      const begun = await secure.call(
        null,
        'GET',
        '/login?portal=1&redirect=https%3A%2F%2Fgateway.example.com%2Fx',
      );
      expect(begun.status).toBe(200);
      const row = await gateway.database.query(
        "SELECT redirect FROM login_states WHERE purpose = 'portal' AND redirect LIKE 'https:%'",
      );
      expect(row).toEqual([{ redirect: 'https://gateway.example.com/x' }]);
      const plain = browserWith(secure, `gateway=${'x'.repeat(43)}`);
      expect((await plain.call('GET', '/userinfo')).body.message).toMatch(/no bearer token/);
      const host = browserWith(secure, `__Host-gateway=${'x'.repeat(43)}`);
      expect(said(await host.call('GET', '/userinfo'))).toEqual(ENDED);
      const out = await host.call('DELETE', '/portal-session');
      expect(portalCookieIn(out)).toMatch(/^__Host-gateway=;.*Path=\/.*; Secure; SameSite=Strict$/);
    } finally {
      await secure.close();
    }
  });

  it.each([
    'https://evil.example.com/',
    '//evil.example.com/',
    'javascript:alert(1)',
    'http://127.0.0.1:1/',
    'http://127.0.0.1@evil.example.com/',
  ])('returns to no page elsewhere: %s', async (redirect) => {
    const answer = await gateway.call(
      null,
      'GET',
      `/login?portal=1&redirect=${encodeURIComponent(redirect)}`,
    );
    expect(said(answer)).toEqual([422, { message: 'redirect must be a page of the portal (API_URL)' }]);
  });

  it('returns to the page that was asked for, also when it fails', async () => {
    const page = new URL('/sessions?user=alice', gateway.api).href;
    const login = await beginAtPortal(gateway, page);
    const refused = await comeBack(
      gateway,
      `?state=${login.state}&error=access_denied&iss=${encodeURIComponent(gateway.provider.issuer)}`,
      login.cookie,
    );
    expect(refused.headers.get('location')).toBe(`${page}&error=access_denied`);
    expect(portalCookieIn(refused)).toBeUndefined();
    const again = await signInAt(gateway, await beginAtPortal(gateway, page), 'alice');
    expect(again.headers.get('location')).toBe(page);
  });

  // promises: PORTAL-2
  it('is used by pages of the gateway only', async () => {
    const browser = await signInAtPortal(gateway, 'admin');
    const { cookie } = browser;
    const call: typeof browser.call = (...given) => browser.call(...given);
    const create = (headers: Record<string, string>, n: number) =>
      call('POST', '/groups', { name: `g${n}` }, headers);
    const foreign = [401, { message: 'pages of other sites cannot use the sign-in of the portal' }];
    const unknown = [
      401,
      {
        message:
          'the portal needs a browser that says where a request comes from (Sec-Fetch-Site), and https',
      },
    ];
    for (const site of ['cross-site', 'same-site', '', 'same-origin, cross-site'])
      expect(said(await call('GET', '/userinfo', undefined, { 'sec-fetch-site': site }))).toEqual(foreign);
    expect(said(await call('GET', '/userinfo', undefined, {}))).toEqual(unknown);
    expect((await call('GET', '/userinfo', undefined, { 'sec-fetch-site': 'none' })).status).toBe(200);

    expect(said(await create({ 'sec-fetch-site': 'none', 'x-gateway-portal': '1' }, 1))).toEqual(foreign);
    expect(said(await create({ 'sec-fetch-site': 'same-site', 'x-gateway-portal': '1' }, 1))).toEqual(
      foreign,
    );
    expect(said(await create({ 'x-gateway-portal': '1' }, 1))).toEqual(unknown);
    for (const headers of [OWN_PAGE, { ...OWN_PAGE, 'x-gateway-portal': '0' }])
      expect(said(await create(headers, 1))).toEqual([
        401,
        { message: 'a change with the sign-in of the portal needs X-Gateway-Portal: 1' },
      ]);
    expect((await create(OWN_CHANGE, 2)).status).toBe(201);
    const groups = await gateway.call('admin', 'GET', '/groups?page_size=100');
    expect(JSON.stringify(groups.body)).not.toContain('"g1"');

    // A request with a bearer token ignores the cookie.
    const both = await gateway.call('alice', 'GET', '/userinfo', undefined, { cookie });
    expect(both.body.id).toBe('alice');
  });

  it('has the rights of the person as they are now', async () => {
    const browser = await signInAtPortal(gateway, 'alice');
    expect((await browser.call('GET', '/users')).status).toBe(403);
    const user = await gateway.call('admin', 'GET', '/users/alice');
    const tag = { 'if-match': user.headers.get('etag') ?? '' };
    await gateway.call('admin', 'PATCH', '/users/alice', { groups: ['auditor'] }, tag);
    await eventually('the right', async () => (await browser.call('GET', '/users')).status === 200);
    await gateway.database.query("DELETE FROM user_groups WHERE source = 'manual'");
    await eventually(
      'the end of the right',
      async () => (await browser.call('GET', '/users')).status === 403,
    );
  });

  // promises: PORTAL-3
  it('ends by signing out, at all gateways, and when the provider is down', async () => {
    const browser = await signInAtPortal(gateway, 'alice');
    expect(await person(browser, other)).toBe('alice');
    jest.spyOn(gateway.app.get(IdentityProviderClient), 'configuration').mockRejectedValue(new Error('down'));
    const out = await browser.call('DELETE', '/portal-session');
    expect([out.status, portalCookieIn(out)]).toEqual([
      204,
      expect.stringMatching(/^gateway=; Path=\/; Expires=Thu, 01 Jan 1970/),
    ]);
    expect(said(await browser.call('GET', '/userinfo'))).toEqual(ENDED);
    await eventually('the end elsewhere', async () => (await person(browser, other)) === undefined);
    expect((await browser.call('DELETE', '/portal-session')).status).toBe(204);
    expect((await gateway.call(null, 'DELETE', '/portal-session')).status).toBe(204);
    expect(await rows()).toEqual([]);
  });

  it('is not ended by a page of another site', async () => {
    const browser = await signInAtPortal(gateway, 'alice');
    const headers = { 'sec-fetch-site': 'cross-site', 'x-gateway-portal': '1' };
    expect((await browser.call('DELETE', '/portal-session', undefined, headers)).status).toBe(401);
    expect(await person(browser)).toBe('alice');
  });

  it('ends after a time without a request, and not before', async () => {
    const browser = await signInAtPortal(gateway, 'alice');
    const lastUsed = (minutes: number) =>
      gateway.database.query(
        `UPDATE portal_sessions SET secret = secret, used_at = now() - interval '${minutes} minutes'`,
      );
    await lastUsed(59);
    await eventually('a newer use', async () => {
      expect(await person(browser)).toBe('alice');
      const [row] = await rows();
      return Date.now() - Number(row?.used_at) < 5 * MINUTE;
    });
    await lastUsed(62);
    await eventually('the end', async () => (await person(browser)) === undefined);
    expect(said(await browser.call('GET', '/userinfo'))).toEqual(ENDED);
    expect(await rows()).toEqual([]);
  });

  // promises: PORTAL-3
  it('is kept by what somebody does, and not by what a page asks by itself', async () => {
    const browser = await signInAtPortal(gateway, 'alice');
    await gateway.database.query(
      "UPDATE portal_sessions SET secret = secret, used_at = now() - interval '59 minutes'",
    );
    const isOld = async (): Promise<boolean> => {
      const [row] = await rows();
      return Date.now() - Number(row?.used_at) > 58 * MINUTE;
    };
    for (const at of [gateway, other]) {
      await at.app.get(ChangeFeed).caughtUp();
      for (let times = 0; times < 20; times++) {
        const headers = { ...OWN_PAGE, 'x-gateway-portal-unattended': '1' };
        const { status } = await browser.call('GET', '/userinfo', undefined, headers, at);
        expect(status).toBe(200);
      }
    }
    expect(await isOld()).toBe(true);
    expect(await person(browser)).toBe('alice');
    expect(await isOld()).toBe(false);
  });

  it('ends after a day, however busy', async () => {
    const browser = await signInAtPortal(gateway, 'alice');
    await gateway.database.query(
      "UPDATE portal_sessions SET expires_at = now() - interval '1 second', secret = secret",
    );
    await eventually('the end', async () => (await person(browser)) === undefined);
    expect(await rows()).toEqual([]);
  });

  it('ends when the person is deactivated', async () => {
    const browser = await signInAtPortal(gateway, 'bob');
    expect(await person(browser)).toBe('bob');
    const user = await gateway.call('admin', 'GET', '/users/bob');
    const tag = { 'if-match': user.headers.get('etag') ?? '' };
    const done = await gateway.call('admin', 'PATCH', '/users/bob', { status: 'inactive' }, tag);
    expect(done.status).toBe(200);
    expect(said(await browser.call('GET', '/userinfo'))).toEqual(ENDED);
    expect(await rows()).toEqual([]);
    await gateway.database.query("UPDATE users SET status = 'active' WHERE subject = 'bob'");
    expect(said(await browser.call('GET', '/userinfo'))).toEqual(ENDED);
  });

  // promises: PORTAL-3
  it('does not begin again when the person is activated again, though nothing was asked meanwhile', async () => {
    const [bobs, alices] = await Promise.all([
      signInAtPortal(gateway, 'bob'),
      signInAtPortal(gateway, 'alice'),
    ]);
    expect(await person(bobs, other)).toBe('bob');
    for (const status of ['inactive', 'active']) {
      const user = await gateway.call('admin', 'GET', '/users/bob');
      const tag = { 'if-match': user.headers.get('etag') ?? '' };
      expect((await gateway.call('admin', 'PATCH', '/users/bob', { status }, tag)).status).toBe(200);
    }
    for (const at of [gateway, other])
      await eventually('the end', async () => (await person(bobs, at)) === undefined);
    expect(await person(alices)).toBe('alice');
    expect(await person(await signInAtPortal(gateway, 'bob'))).toBe('bob');
  });

  // promises: PORTAL-4
  it('renews its tokens once, for all tabs and gateways', async () => {
    const browser = await signInAtPortal(gateway, 'alice');
    const asked = [gateway, other].map(({ app }) => jest.spyOn(app.get(IdentityProviderClient), 'refresh'));
    const [before] = await rows();
    later(3_600_000 - 29_000, gateway, other);
    const people = await Promise.all(
      Array.from({ length: 40 }, (_, n) => person(browser, n % 2 === 0 ? gateway : other)),
    );
    expect(new Set(people)).toEqual(new Set(['alice']));
    expect(asked.flatMap((spy) => spy.mock.calls)).toHaveLength(1);
    const [after] = await rows();
    expect(after?.secret).not.toEqual(before?.secret);
  });

  // promises: PORTAL-4
  it('renews its tokens also in an outage of the database, because the former ones are used up', async () => {
    const browser = await signInAtPortal(gateway, 'alice');
    const asked = jest.spyOn(gateway.app.get(IdentityProviderClient), 'refresh');
    const end = await outageOnce(gateway.database, 'portal_sessions', 'secret');
    later(3_600_000 - 29_000, gateway, other);
    expect(await person(browser)).toBe('alice');
    await end();
    expect(await person(browser, other)).toBe('alice');
    expect(asked.mock.calls).toHaveLength(1);
  });

  // promises: PORTAL-4
  it('renews its tokens once, also at a provider that needs all the time that it may have', async () => {
    const browser = await signInAtPortal(gateway, 'alice');
    let answer: () => void = () => undefined;
    const answered = new Promise<void>((resolve) => (answer = resolve));
    const [slow, second] = [gateway, other].map(({ app }) => {
      const provider = app.get(IdentityProviderClient);
      const refresh = provider.refresh.bind(provider);
      return jest.spyOn(provider, 'refresh').mockImplementation(async (token) => {
        await answered;
        return refresh(token);
      });
    });
    const looks = jest.spyOn(other.app.get(PortalSessionRows), 'takeLease');
    later(3_600_000 - 29_000, gateway, other);
    const longest = 60;
    await withSettings(gateway, { identityProvider: { timeoutSeconds: longest } }, async () => {
      const first = person(browser);
      await eventually('the renewal begins', async () => slow?.mock.calls.length === 1);
      // A renewal sends at most two requests, discovery and the refresh. Each may take up to the time limit.
      await gateway.database.query(
        `UPDATE portal_sessions SET lease_until = lease_until - $1 * interval '1 second'`,
        [2 * longest],
      );
      const others = person(browser, other);
      await eventually('the other gateway looks', async () => looks.mock.calls.length > 0);
      expect(await looks.mock.results[0]?.value).toBeUndefined();
      answer();
      expect(await Promise.all([first, others])).toEqual(['alice', 'alice']);
    });
    expect(second).not.toHaveBeenCalled();
  });

  it('ends when the provider refuses to renew it', async () => {
    const browser = await signInAtPortal(gateway, 'alice');
    const stored = gateway.app.get(PortalSessionRows);
    const session = await stored.find(hashOfCookie(browser.cookie.split('=')[1] ?? ''));
    const lease = session && (await stored.takeLease(session));
    if (lease === undefined) throw new Error('no lease');
    const bad = { accessToken: session?.accessToken ?? '', expiresIn: 1, refreshToken: 'unknown' };
    await stored.renew(session!, lease, bad, Date.now() - 1);
    await eventually('the end', async () => (await person(browser)) === undefined);
    expect(said(await browser.call('GET', '/userinfo'))).toEqual(ENDED);
    expect(await rows()).toEqual([]);
  });

  it.each([
    ['none', ''],
    ['of another length', `gateway=${'x'.repeat(42)}`],
    ['with other characters', `gateway=${'!'.repeat(43)}`],
  ])('is none with a cookie %s', async (_how, cookie) => {
    const answer = await browserWith(gateway, cookie).call('GET', '/userinfo');
    expect(said(answer)).toEqual([401, { message: 'sign in first: the request has no bearer token' }]);
  });

  // promises: PORTAL-14
  it('makes a change once, at whichever gateway it arrives, and not late', async () => {
    const admin = await signInAtPortal(gateway, 'admin');
    const beside = browserWith(other, admin.cookie);
    const headers = { ...OWN_CHANGE, 'x-gateway-portal-request': randomUUID() };
    const created = await admin.call('POST', '/groups', { name: 'once' }, headers);
    expect([created.status, created.headers.get('x-gateway-portal-repeated')]).toEqual([201, null]);
    for (const browser of [admin, beside]) {
      // Another group name with the same request id is refused, because only the request id is compared.
      const again = await browser.call('POST', '/groups', { name: 'twice' }, headers);
      expect([again.status, again.headers.get('x-gateway-portal-repeated')]).toEqual([409, '1']);
      expect(again.body.message).toMatch(/^the browser sent this twice/);
    }
    const sentAgo = (milliseconds: number) => ({
      ...OWN_CHANGE,
      'x-gateway-portal-request': randomUUID(),
      'x-gateway-portal-sent': String(Date.now() - milliseconds),
    });
    const late = await admin.call('POST', '/groups', { name: 'late' }, sentAgo(MINUTE + 1_000));
    expect([late.status, late.body.message]).toEqual([
      409,
      expect.stringMatching(/^this arrived 6\d seconds after it was sent, and was not done/),
    ]);
    expect(late.headers.get('x-gateway-portal-repeated')).toBeNull();
    const soon = await admin.call('POST', '/groups', { name: 'soon' }, sentAgo(MINUTE / 4));
    expect(soon.status).toBe(201);
    const wrong = { ...OWN_CHANGE, 'x-gateway-portal-request': 'once' };
    expect((await admin.call('POST', '/groups', { name: 'wrong' }, wrong)).status).toBe(400);
    const { body } = await gateway.call('admin', 'GET', '/groups');
    const names = (body.data as { name: string }[]).map(({ name }) => name);
    expect(['once', 'twice', 'late', 'soon', 'wrong'].filter((name) => names.includes(name))).toEqual([
      'once',
      'soon',
    ]);
    // The end of the sign-in deletes its request ids.
    await admin.call('DELETE', '/portal-session', undefined, OWN_CHANGE);
    expect(await gateway.database.query('SELECT * FROM portal_requests')).toEqual([]);
  });

  // promises: PORTAL-2
  it('is none with two cookies, of which one may be good', async () => {
    const { cookie } = await signInAtPortal(gateway, 'alice');
    for (const both of [`${cookie}; gateway=${'x'.repeat(43)}`, `gateway=x; ${cookie}`]) {
      const answer = await browserWith(gateway, both).call('GET', '/userinfo');
      expect([answer.status, answer.body.message]).toEqual([
        401,
        expect.stringMatching(/^the browser has two cookies of the portal/),
      ]);
    }
  });

  // promises: PORTAL-8
  it('is not used by a page that was opened for somebody else', async () => {
    const browser = await signInAtPortal(gateway, 'bob');
    const by = (id: string) => ({ ...OWN_CHANGE, 'x-gateway-portal-person': id });
    const refused = [401, { message: 'somebody else signed in at this browser: this page is not theirs' }];
    for (const id of ['alice', 'Bob', 'bob ', '', 'bob%00', 'bob, alice']) {
      const answer = await browser.call('GET', '/userinfo', undefined, by(id));
      // 'bob ' is accepted, because spaces around a header's value are not part of the value.
      expect([id, ...said(answer)]).toEqual([id, ...(id === 'bob ' ? [200, answer.body] : refused)]);
    }
    expect(
      said(
        await browser.call('POST', '/connections/orders/script-check', { script: 'SELECT 1' }, by('alice')),
      ),
    ).toEqual(refused);
    expect((await browser.call('GET', '/userinfo', undefined, by('bob'))).status).toBe(200);
  });

  it('is ended with a cookie that nobody was given', async () => {
    const browser = browserWith(gateway, `gateway=${'x'.repeat(43)}`);
    expect(said(await browser.call('GET', '/userinfo'))).toEqual(ENDED);
    expect(said(await browser.call('GET', '/sessions'))).toEqual(ENDED);
  });
});

describeScoped('the portal while the identity provider is down', (begin) => {
  const gateway = begin(() => startGateway());

  it('asks people to wait when their tokens must be renewed, and ends no sign-in', async () => {
    const browser = await signInAtPortal(gateway, 'alice');
    expect((await browser.call('GET', '/userinfo')).status).toBe(200);
    await gateway.provider.close();
    expect((await browser.call('GET', '/userinfo')).status).toBe(200);
    await gateway.database.query('UPDATE portal_sessions SET renew_at = now(), secret = secret');
    const down = await eventually('the renewal', async () => {
      const answer = await browser.call('GET', '/userinfo');
      return answer.status !== 200 && answer;
    });
    expect([down.status, down.headers.get('retry-after'), down.body]).toEqual([
      503,
      '5',
      { message: 'the identity provider cannot be reached, try again shortly' },
    ]);
    expect(await gateway.database.query('SELECT lease FROM portal_sessions')).toEqual([{ lease: null }]);
  });
});
