import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { ChangeFeed } from '../../src/platform/database/feed/change-feed';
import { startEmbeddedPostgres } from '../../src/development/embedded-postgres/embedded-postgres';
import { describeWirePath } from '../support/describe';
import { eventually } from '../support/eventually';
import { freePort } from '../support/free-port';
import { secretOf } from '../support/target';
import { type TcpProxy, startTcpProxy } from '../support/tcp-proxy';

interface Reachability {
  readonly status: string;
  readonly status_at: string | null;
}

/**
 * `status` of a connection is the result of the last attempt to open its target, by any client, script or
 * test. `status_at` is the time of that attempt.
 */
describeWirePath('the status of a connection', ({ path }) => {
  let folder: string;
  let server: Awaited<ReturnType<typeof startEmbeddedPostgres>>;
  let line: TcpProxy;
  let secret: Record<string, string>;

  beforeAll(async () => {
    folder = await mkdtemp(join(process.env['TEST_FOLDER'] ?? tmpdir(), 'gateway-mortal-target-'));
    await chmod(folder, 0o711);
    server = await startServer();
    line = await startTcpProxy('127.0.0.1', server.port);
    const url = server.url('postgres');
    secret = { ...secretOf({ url }), HOST: '127.0.0.1', PORT: String(line.port) };
  });

  afterAll(async () => {
    await line.close();
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const startServer = () => startEmbeddedPostgres({ dataDir: folder, durable: false, log: () => undefined });
  /** Simulates a power failure: the server ends without closing its connections. */
  const killServer = async (): Promise<void> => {
    const pid = Number((await readFile(join(folder, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')[0]);
    process.kill(pid, 'SIGKILL');
  };
  const create = (name: string, more: object = {}) => path.connect(name, { secret, ...more });
  const statusOf = async (name: string): Promise<Reachability> => {
    const one = () => path.gateway.call('admin', 'GET', `/connections/${name}`);
    const { status, status_at } = (await one()).body;
    const listed = await path.gateway.call('admin', 'GET', `/connections?search=${name}`);
    // Repeats the requests if the status changed between them.
    if ((await one()).body.status_at !== status_at) return statusOf(name);
    expect(listed.body.data).toEqual([expect.objectContaining({ name, status, status_at })]);
    return { status, status_at };
  };
  const becomes = (name: string, status: string, after: string | null): Promise<Reachability> =>
    eventually(`${name} is ${status}`, async () => {
      const seen = await statusOf(name);
      const isNew = after === null || Date.parse(seen.status_at ?? '') > Date.parse(after);
      return seen.status === status && isNew && seen;
    });
  const runScript = async (name: string): Promise<string> =>
    (await path.run('SELECT 1', { connection: name })).body.output_status;
  const runClient = async (name: string, more: object = {}): Promise<string> => {
    const client = new Client({ ...(await path.issue(name)), ...more });
    client.on('error', () => undefined);
    try {
      await client.connect();
      await client.query('SELECT 1');
      return 'success';
    } catch {
      return 'failed';
    } finally {
      await client.end().catch(() => undefined);
    }
  };
  const test = async (name: string): Promise<string> =>
    (await path.gateway.call('admin', 'GET', `/connections/${name}/test`)).body.success
      ? 'success'
      : 'failed';

  // promises: CONNECTION-11
  it.each<[string, (name: string) => Promise<string>]>([
    ['scripts', runScript],
    ['clients', runClient],
    ['tests', test],
  ])('is found by %s: online, offline once the target is killed, online when it is back', async (by, use) => {
    const name = `used-by-${by}`;
    await create(name);
    expect(await statusOf(name)).toEqual({ status: 'unknown', status_at: null });

    const before = Date.now();
    expect(await use(name)).toBe('success');
    const online = await becomes(name, 'online', null);
    expect(Date.parse(online.status_at ?? '')).toBeGreaterThan(before - 60_000);
    expect(Date.parse(online.status_at ?? '')).toBeLessThan(Date.now() + 60_000);

    await killServer();
    await eventually('the target is gone', async () => (await use(name)) === 'failed');
    const offline = await becomes(name, 'offline', online.status_at);

    server = await startServer();
    line.lead(server.port);
    expect(await use(name)).toBe('success');
    await becomes(name, 'online', offline.status_at);
  });

  it('is written once a minute, and touches neither the connection nor what is compiled from it', async () => {
    const id = await create('used-often');
    const { database } = path.gateway;
    const connectionRow = () =>
      database.query('SELECT xmin, version, updated_at FROM connections WHERE id = $1', [id]);
    const row = async () => {
      const rows = await database.query<{ xmin: string }>(
        'SELECT xmin, status, status_at FROM connection_reachability WHERE connection_id = $1',
        [id],
      );
      return rows[0];
    };
    const untouched = await connectionRow();
    const feed = new Client({ connectionString: database.url });
    await feed.connect();
    const heard: string[] = [];
    feed.on('notification', ({ payload = '' }) => heard.push(payload));
    await feed.query(`LISTEN ${ChangeFeed.CHANNEL}`);

    expect(await test('used-often')).toBe('success');
    const first = await row();
    expect(first).toMatchObject({ status: 'online' });
    for (let i = 0; i < 3; i++) expect(await test('used-often')).toBe('success');
    expect(await row()).toEqual(first);

    const setAge = (age: string) =>
      database.query(
        `UPDATE connection_reachability SET status_at = now() - interval '${age}' WHERE connection_id = $1`,
        [id],
      );
    await setAge('50 s');
    const aged = await row();
    expect(await test('used-often')).toBe('success');
    expect(await row()).toEqual(aged);
    await setAge('61 s');
    const older = await row();
    expect(await test('used-often')).toBe('success');
    expect((await row())?.xmin).not.toBe(older?.xmin);

    expect(await connectionRow()).toEqual(untouched);
    await feed.query('SELECT 1');
    expect(heard).toEqual([]);
    const unbound = { guardrail_rules: [] };
    await path.gateway.call('admin', 'PATCH', '/connections/used-often', unbound);
    await eventually('a change is heard of', async () => heard.length > 0);
    await feed.end();
  });

  // promises: CONNECTION-11
  it('is unknown again after a change of the secret', async () => {
    await create('led-elsewhere');
    await test('led-elsewhere');
    expect(await statusOf('led-elsewhere')).toMatchObject({ status: 'online' });
    const patch = (body: object) => path.gateway.call('admin', 'PATCH', '/connections/led-elsewhere', body);
    await patch({ description: 'the same target', secret: { PORT: secret['PORT'] } });
    expect(await statusOf('led-elsewhere')).toMatchObject({ status: 'online' });
    const answer = await patch({ secret: { PORT: String(await freePort()) } });
    expect(answer.body).toMatchObject({ status: 'unknown', status_at: null });
    await test('led-elsewhere');
    expect(await statusOf('led-elsewhere')).toMatchObject({ status: 'offline' });
  });

  it('is offline where the target refuses the secret, but not because of a client’s parameters', async () => {
    await create('wrong-password', { secret: { ...secret, PASS: 'another' } });
    expect(await runClient('wrong-password')).toBe('failed');
    await becomes('wrong-password', 'offline', null);
    await create('odd-clients');
    expect(await runClient('odd-clients', { options: '-c no_such_setting=1' })).toBe('failed');
    expect(await runScript('odd-clients')).toBe('success');
    const online = await becomes('odd-clients', 'online', null);
    expect(await runClient('odd-clients', { options: '-c no_such_setting=1' })).toBe('failed');
    expect(await runClient('odd-clients', { options: '-c role=nobody_of_that_name' })).toBe('failed');
    expect(await statusOf('odd-clients')).toEqual(online);
  });

  it('is no part of the audit log, and cannot be written', async () => {
    const id = await create('told-of');
    await test('told-of');
    const sent = { status: 'offline', status_at: '2001-01-01T00:00:00Z', description: 'changed' };
    const { status, body } = await path.gateway.call('admin', 'PATCH', '/connections/told-of', sent);
    expect([status, body.status]).toEqual([200, 'online']);
    const { body: log } = await path.gateway.call('admin', 'GET', `/audit/logs?resource_type=connections`);
    const lines = log.data.filter((line: { resource_id: string }) => line.resource_id === id);
    const changes = lines.map((line: { changes: { field: string }[] }) =>
      line.changes.map(({ field }) => field),
    );
    expect(changes[0]).toEqual(['description']);
    expect(changes.flat()).toEqual(expect.not.arrayContaining(['status', 'status_at']));
  });

  it('does not disturb sessions when it cannot be stored', async () => {
    await create('unstorable');
    await path.gateway.database.query('ALTER TABLE connection_reachability RENAME TO elsewhere');
    try {
      expect([
        await runScript('unstorable'),
        await runClient('unstorable'),
        await test('unstorable'),
      ]).toEqual(['success', 'success', 'success']);
    } finally {
      await path.gateway.database.query('ALTER TABLE elsewhere RENAME TO connection_reachability');
    }
    expect(await statusOf('unstorable')).toEqual({ status: 'unknown', status_at: null });
  });

  it('goes with its connection', async () => {
    const id = await create('short-lived');
    await test('short-lived');
    expect((await path.gateway.call('admin', 'DELETE', '/connections/short-lived')).status).toBe(204);
    const count = 'SELECT FROM connection_reachability WHERE connection_id = $1';
    expect(await path.gateway.database.query(count, [id])).toEqual([]);
  });
});
