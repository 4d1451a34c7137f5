import { join } from 'node:path';
import { describeDataPath } from '../support/describe';
import { as, whoIs } from '../support/callers';
import { SLOWEST, eventually } from '../support/eventually';
import { freePort } from '../support/free-port';
import { passwordToken, startGateway } from '../support/gateway';
import { GatewayProcess, buildIfNeeded, temporaryFolder, until } from '../support/gateway-process';
import { denyWords } from '../support/guardrails';
import { volume } from '../support/volume';

const AGREED_MS = 1_000 * SLOWEST;

/** A change at one gateway reaches the other within a second. */
describeDataPath('two gateways on one database', ({ path, gateway: one, begin }) => {
  const two = begin(() => startGateway({ beside: one }));

  const change = async (method: string, path: string, body?: object) => {
    const answer = await one.call('admin', method, path, body);
    expect([path, answer.status < 300, answer.body?.message]).toEqual([path, true, undefined]);
    return answer.body;
  };
  const run = async (script: string) =>
    (await two.call('bob', 'POST', '/sessions', { connection: 'orders', script })).body;

  const agree = async () => {
    const bob = await passwordToken(one.provider.issuer, 'bob');
    expect((await whoIs(two, bob)).body.role).toBe('regular');
    await change('PATCH', '/users/bob', { status: 'inactive' });
    await eventually('bob is out', async () => (await whoIs(two, bob)).status === 401, AGREED_MS);
    await change('PATCH', '/users/bob', { status: 'active', groups: ['auditor'] });
    await eventually('bob reads', async () => (await whoIs(two, bob)).body.role === 'auditor', AGREED_MS);
    await change('PATCH', '/users/bob', { groups: [] });
    await eventually('bob does not', async () => (await whoIs(two, bob)).body.role === 'regular', AGREED_MS);

    const { id, key } = await change('POST', '/api-keys', { name: 'machine' });
    expect((await whoIs(two, key)).status).toBe(200);
    await change('DELETE', `/api-keys/${id}`);
    await eventually('the key is out', async () => (await whoIs(two, key)).status === 401, AGREED_MS);

    expect((await run('SELECT 1')).output_status).toBe('success');
    await change('PATCH', '/organization', { features: { access_control: true } });
    await eventually(
      'access control is on',
      async () => /no connection/.test((await run('SELECT 1')).message),
      AGREED_MS,
    );
    await change('PATCH', '/organization', { features: { access_control: false } });
    await eventually('and off', async () => (await run('SELECT 1')).output_status === 'success', AGREED_MS);

    const rule = await change('POST', '/guardrails', {
      name: 'no-sleep',
      input: denyWords(['one']),
      attributes: ['a'],
    });
    await change('PATCH', '/connections/orders', { attributes: ['a'] });
    await eventually(
      'the rule holds',
      async () => (await run('SELECT 1 AS one')).output_status === 'blocked',
      AGREED_MS,
    );
    await change('PUT', `/guardrails/${rule.id}`, {
      name: 'no-sleep',
      input: denyWords(['two']),
      attributes: ['a'],
    });
    await eventually(
      'it changed',
      async () => (await run('SELECT 1 AS one')).output_status === 'success',
      AGREED_MS,
    );
    expect((await run('SELECT 1 AS two')).output_status).toBe('blocked');
    await change('DELETE', `/guardrails/${rule.id}`);
    await eventually(
      'it is gone',
      async () => (await run('SELECT 1 AS two')).output_status === 'success',
      AGREED_MS,
    );

    await change('PATCH', '/connections/orders', { access_mode_exec: 'disabled' });
    await eventually(
      'it is closed',
      async () => /does not accept/.test((await run('SELECT 1')).message),
      AGREED_MS,
    );
    await change('PATCH', '/connections/orders', { access_mode_exec: 'enabled' });
  };

  // promises: HTTP-23
  it('agree on any change', agree);

  it('agree also after their change feeds were cut', async () => {
    await one.database.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE application_name = 'access-gateway changes' AND datname = current_database()`,
    );
    await agree();
  });

  // promises: HTTP-23
  it('know their own changes before they answer them', async () => {
    const outcome = async () =>
      (await one.call('bob', 'POST', '/sessions', { connection: 'orders', script: 'SELECT 1 AS one' })).body
        .output_status;
    for (let round = 0; round < volume(6, 20); round += 1) {
      const { id, key } = await change('POST', '/api-keys', { name: `machine ${round}` });
      expect((await whoIs(one, key)).status).toBe(200);
      await change('DELETE', `/api-keys/${id}`);
      expect((await whoIs(one, key)).status).toBe(401);

      expect(await outcome()).toBe('success');
      const rule = { name: `rule ${round}`, input: denyWords(['one']), attributes: ['a'] };
      const { id: ruleId } = await change('POST', '/guardrails', rule);
      expect(await outcome()).toBe('blocked');
      await change('DELETE', `/guardrails/${ruleId}`);

      const bob = await one.token('bob');
      await change('PATCH', '/users/bob', { status: 'inactive' });
      expect((await whoIs(one, bob)).status).toBe(401);
      await change('PATCH', '/users/bob', { status: 'active' });
      expect((await whoIs(one, bob)).status).toBe(200);
    }
  });

  it('a key revoked on one ends its sessions on the other', async () => {
    const { id, key } = await change('POST', '/api-keys', { name: 'runner' });
    const running = as(two, key, 'POST', '/sessions', {
      connection: 'orders',
      script: 'SELECT pg_sleep(30)',
    });
    const countRunning = async () =>
      (
        await path.target.query(
          `SELECT 1 FROM pg_stat_activity
           WHERE datname = current_database() AND query = 'SELECT pg_sleep(30)' AND state = 'active'`,
        )
      ).length;
    await eventually('it runs', async () => (await countRunning()) === 1);
    await change('DELETE', `/api-keys/${id}`);
    await eventually('it is cut', async () => (await countRunning()) === 0);
    expect((await running).body.output_status).not.toBe('success');
  });

  describe('of which one is a process of its own', () => {
    let two: GatewayProcess;
    const folder = begin(temporaryFolder, (it) => it.remove());

    beforeAll(async () => {
      await buildIfNeeded();
      two = await GatewayProcess.start({
        ...one.variables,
        PORT: String(await freePort()),
        POSTGRES_PROXY_PORT: String(await freePort()),
        JOURNAL_DIR: join(folder.path, 'journals'),
        LOG_LEVEL: 'info',
      });
    });
    afterAll(() => two.stop());

    it('agree on an inactive user and on a machine’s key', async () => {
      const { id, key } = await change('POST', '/api-keys', { name: 'm' });
      await until(async () => (await two.get('/userinfo', key)).status === 200);
      await change('DELETE', `/api-keys/${id}`);
      await eventually(
        'the key is out',
        async () => (await two.get('/userinfo', key)).status === 401,
        AGREED_MS,
      );
      const bob = await passwordToken(one.provider.issuer, 'bob');
      expect((await two.get('/userinfo', bob)).status).toBe(200);
      await change('PATCH', '/users/bob', { status: 'inactive' });
      await eventually('bob is out', async () => (await two.get('/userinfo', bob)).status === 401, AGREED_MS);
    });
  });
});
