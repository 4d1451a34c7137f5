import { Authenticator } from '../../src/gate/ports/authenticator';
import { describeGateway } from '../support/describe';
import { usersOf, whoIs } from '../support/callers';
import { type Answer, passwordToken, startGateway } from '../support/gateway';

const LIMITS = { LOGINS_PER_MINUTE: '5', FAILED_CREDENTIALS_PER_MINUTE: '5' };

describeGateway('floods', { environment: LIMITS }, ({ gateway }) => {
  function expectTooMany(answer: Answer): void {
    expect([answer.status, answer.body]).toEqual([
      429,
      { message: expect.stringMatching(/^too many .*, try again in \d+ seconds$/) },
    ]);
    const seconds = Number(answer.headers.get('retry-after'));
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(60);
  }

  // promises: TOKEN-7
  it('of bad credentials are 429, and lock out no good one from the same address', async () => {
    expect((await gateway.call('alice', 'GET', '/userinfo')).status).toBe(200);
    const key = await gateway.call('admin', 'POST', '/api-keys', { name: 'robot' });
    for (let n = 0; n < 5; n++) expect((await whoIs(gateway, `guess.${n}.x`)).status).toBe(401);
    for (const guess of ['guess.6.x', 'gwk_guess', 'opaque-guess']) {
      expectTooMany(await whoIs(gateway, guess));
    }
    // Valid credentials of a person and of a machine, which the gateway has never seen, are still accepted.
    expect((await whoIs(gateway, await passwordToken(gateway.provider.issuer, 'bob'))).status).toBe(200);
    expect((await whoIs(gateway, key.body.key as string)).status).toBe(200);
    const known = (await usersOf(gateway)).map((user) => user.subject).toSorted();
    expect(known).toEqual(['admin', 'alice', 'bob']);

    expect((await gateway.call('alice', 'GET', '/userinfo')).status).toBe(200);
    expect((await gateway.call(null, 'GET', '/publicserverinfo')).status).toBe(200);
    // A request without a credential does not count as a guess.
    expect((await gateway.call(null, 'GET', '/userinfo')).status).toBe(401);
  });

  it('of bad credentials are counted together for all protocols', async () => {
    const ways = gateway.app.get(Authenticator, { strict: false });
    const address = '192.0.2.1';
    const of = (subject: string) => ({ address, subject });
    for (let n = 0; n < 4; n++) await ways.failed(of(`user-${n}`));
    const guess = { bearer: 'guess.other.x', address };
    await expect(ways.identify(guess)).rejects.toMatchObject({ code: 'unauthenticated' });
    await expect(ways.failed(of('user-5'))).rejects.toMatchObject({ code: 'too_many_requests' });
    await expect(ways.identify(guess)).rejects.toMatchObject({ code: 'too_many_requests' });
    // Credentials with other names are still checked from this address.
    await ways.refuseGuesser(of('somebody-else'));
  });

  // promises: TOKEN-7
  it('on one name are limited: then it is not checked any more from that address', async () => {
    const ways = gateway.app.get(Authenticator, { strict: false });
    const attempt = { address: '192.0.2.3', subject: 'one-credential' };
    for (let n = 0; n < 20; n++) await ways.failed(attempt).catch(() => undefined);
    await expect(ways.refuseGuesser(attempt)).rejects.toMatchObject({ code: 'too_many_requests' });
    await ways.refuseGuesser({ ...attempt, address: '192.0.2.4' });
  });

  // promises: LOGIN-8
  it('of sign-ins and callbacks are 429, and write no more rows', async () => {
    const answers = [];
    for (let n = 0; n < 4; n++) answers.push(await gateway.call(null, 'GET', '/login'));
    answers.push(await gateway.call(null, 'GET', '/callback?state=x'));
    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200, 200, 400]);
    expectTooMany(await gateway.call(null, 'GET', '/login'));
    expectTooMany(await gateway.call(null, 'GET', '/callback?state=x'));
    expect(await gateway.database.query('SELECT FROM login_states')).toHaveLength(4);
  });

  it('an address that a caller only claims to have is not believed', async () => {
    for (const header of ['x-forwarded-for', 'forwarded', 'x-real-ip', 'cf-connecting-ip'])
      expectTooMany(await gateway.call(null, 'GET', '/login', undefined, { [header]: '203.0.113.7' }));
  });

  it('is believed of as many proxies as the settings name', async () => {
    const behind = await startGateway({ beside: gateway, environment: { ...LIMITS, TRUST_PROXY: '1' } });
    const from = (addresses: string) =>
      behind.call(null, 'GET', '/login', undefined, { 'x-forwarded-for': addresses });
    for (let n = 0; n < 5; n++) expect((await from(`10.0.0.${n}, 203.0.113.7`)).status).toBe(200);
    expectTooMany(await from('10.0.0.99, 203.0.113.7'));
    expect((await from('203.0.113.7, 203.0.113.8')).status).toBe(200);
    await behind.close();
  });
});

describeGateway('answers', ({ gateway }) => {
  // promises: HTTP-2
  it.each(['a', 'A1._:-z', '7f9c24e8-1111-4222-8333-123456789abc', 'x'.repeat(128)])(
    'bear the request id that was sent: %s',
    async (id) => {
      for (const path of ['/publicserverinfo', '/userinfo', '/no-such-route']) {
        const answer = await gateway.call(null, 'GET', path, undefined, { 'x-request-id': id });
        expect(answer.headers.get('x-request-id')).toBe(id);
      }
    },
  );

  // promises: HTTP-2
  it.each(['', 'a b', '"', '<script>', 'a,b', '{}', '../x', 'é', 'x'.repeat(129), '%0d%0a'])(
    'bear a fresh one instead of an unsafe one: %j',
    async (id) => {
      const answer = await gateway.call(null, 'GET', '/userinfo', undefined, { 'x-request-id': id });
      expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    },
  );

  // promises: HTTP-1
  it.each([
    [401, 'GET', '/userinfo'],
    [401, 'POST', '/access-requests/rules'],
    [400, 'GET', '/callback?state=x'],
    [422, 'GET', '/login?redirect=x'],
    [404, 'GET', '/no-such-route'],
    [405, 'DELETE', '/login'],
    [404, 'GET', '/users/../userinfo/x'],
    [400, 'GET', '/guardrails/%ff'],
  ])('%d %s %s is one plain sentence and no more', async (status, method, path) => {
    const answer = await gateway.call(null, method, path);
    expect([answer.status, answer.body]).toEqual([
      status,
      { message: expect.stringMatching(/^[a-z].*[A-Za-z)0-9]$/) },
    ]);
    expect(answer.headers.get('www-authenticate')).toBe(status === 401 ? 'Bearer' : null);
    expect(answer.text).not.toMatch(/\bat \/|Error|Exception|SELECT|node_modules|\.ts\b/);
    expect(answer.headers.has('x-powered-by')).toBe(false);
  });

  // promises: HTTP-1, GUARDRAIL-7
  it('an internal error is 500 without details', async () => {
    const token = await passwordToken(gateway.provider.issuer, 'bob');
    await gateway.database.query('ALTER TABLE users RENAME TO people');
    const answer = await whoIs(gateway, token);
    await gateway.database.query('ALTER TABLE people RENAME TO users');
    expect([answer.status, answer.body]).toEqual([500, { message: 'internal error' }]);
    expect((await whoIs(gateway, token)).status).toBe(200);
  });
});
