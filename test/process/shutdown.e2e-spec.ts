import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { findServer } from '../../src/development/embedded-postgres/postmaster-pid';
import { describeProcesses } from '../support/describe';
import { freshDatabase } from '../support/database';
import {
  GatewayProcess,
  buildIfNeeded,
  productionEnvironment,
  temporaryFolder,
  until,
} from '../support/gateway-process';
import { closedLatch } from '../support/latch';
import { secretOf } from '../support/target';

describeProcesses('a gateway that is told to stop', ({ database, target, production }) => {
  let token: string;
  let gateway: GatewayProcess;
  let stoppedEarly: Promise<object>;

  beforeAll(async () => {
    // Starts this long case early, because it has its own database. The last test awaits it.
    stoppedEarly = stopDuringStart();
    stoppedEarly.catch(() => undefined);
    token = await production.token();
  });

  afterAll(async () => {
    await stoppedEarly.catch(() => undefined);
    gateway.kill('SIGKILL');
    await gateway.exited;
  });

  /** Starts a script, and waits until the target runs it. */
  async function startScript(script: string): Promise<{ answer: Promise<Response> }> {
    await gateway.post('/connections', token, {
      name: 'orders',
      type: 'database',
      subtype: 'postgres',
      secret: secretOf(target),
    });
    const answer = gateway.post('/sessions', token, { connection: 'orders', script });
    await until(isAtWork);
    return { answer };
  }

  async function isAtWork(): Promise<boolean> {
    const rows = await target.query(
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND state = 'active'
         AND query LIKE ANY ('{%pg_sleep(%,%pg_advisory_lock_shared(%}') AND pid <> pg_backend_pid()`,
    );
    return rows.length > 0;
  }

  const sessionsByEnd = () =>
    database.query(
      'SELECT status, exit_code, end_date IS NOT NULL AS ended FROM sessions ORDER BY start_date DESC',
    );

  // promises: STOP-1
  it('accepts no more, lets a script finish, answers its caller and exits with 0', async () => {
    // The grace period is long, so that nothing is canceled during this test, even on a busy machine.
    gateway = await GatewayProcess.start({ ...production.variables, SHUTDOWN_GRACE_SECONDS: '120' });
    // Browsers open connections in advance. A connection without a request must not delay the stop.
    const silent = connect(Number(production.variables['PORT']), '127.0.0.1');
    await once(silent, 'connect');
    const silentClosed = once(silent, 'close');
    const latch = await closedLatch(target);
    const { answer } = await startScript(`SELECT ${latch.wait}, 'kept' AS word`);
    gateway.kill('SIGTERM');
    await gateway.says('finishing what runs');
    await silentClosed;
    await expect(gateway.get('/healthz')).rejects.toThrow('fetch failed');
    expect(await isAtWork()).toBe(true);
    await latch.open();

    const answered = await answer;
    expect(answered.headers.get('connection')).toBe('close');
    expect(await answered.json()).toMatchObject({
      output_status: 'success',
      output: 'pg_advisory_lock_shared\tword\n\tkept\n',
    });
    expect(await gateway.exited).toEqual({ code: 0, signal: null });
    expect((await sessionsByEnd())[0]).toEqual({ status: 'done', exit_code: 0, ended: true });
  });

  // promises: STOP-1
  it('after the grace period cancels a script, answers its caller, and exits with 0: no reader of a live stream holds it', async () => {
    gateway = await GatewayProcess.start({ ...production.variables, SHUTDOWN_GRACE_SECONDS: '1' });
    await database.query(
      `INSERT INTO sessions (org_id, status, verb, type, connection_id, connection_name, connection_subtype,
         identity_type, user_subject, user_email, user_name)
       SELECT id, 'open', 'connect', 'database', gen_random_uuid(), 'orders', 'postgres', 'user', 'admin', '', 'admin'
       FROM organizations`,
    );
    const [session] = await database.query<{ id: string }>(
      `SELECT id FROM sessions WHERE status = 'open' ORDER BY start_date DESC`,
    );
    const followed = await gateway.get(`/sessions/${session?.id}/stream`, token);
    expect(followed.status).toBe(200);
    const told = followed.text();
    const { answer } = await startScript('SELECT pg_sleep(60)');
    gateway.kill('SIGTERM');
    expect(await told).toBe('retry: 1000\n\n');
    expect(await (await answer).json()).toMatchObject({
      output_status: 'failed',
      exit_code: 254,
      output: expect.stringContaining('The gateway was stopped while the script ran.'),
    });
    expect(await gateway.exited).toEqual({ code: 0, signal: null });
    expect((await sessionsByEnd())[0]).toEqual({ status: 'done', exit_code: 254, ended: true });
    expect(await isAtWork()).toBe(false);
  });

  it('stops when npm, which started it, is stopped', async () => {
    gateway = await GatewayProcess.spawn(production.variables, ['npm', 'start']);
    await gateway.says('"listening on');
    gateway.kill('SIGTERM');
    // npm exits at once, but `exited` waits for the output to close, so the gateway has ended too.
    await gateway.exited;
    expect(gateway.stdout).toContain('npm was stopped: finishing what runs');
    await expect(gateway.get('/healthz')).rejects.toThrow('fetch failed');
  });

  it('leaves nothing running when it is stopped during a start that takes long', async () => {
    expect(await stoppedEarly).toEqual({
      exit: { code: 0, signal: null },
      server: { state: 'none' },
      processes: [],
    });
  });
});

/**
 * Starts a gateway in development, and stops it while it still creates its database. Returns how it ended,
 * and what it left running.
 */
async function stopDuringStart(): Promise<object> {
  const folder = await temporaryFolder();
  const gateway = await GatewayProcess.spawn({ DATA_DIR: folder.path });
  await gateway.says('creating the database cluster');
  let creators: number[] = [];
  await until(async () => (creators = await processesOf(`initdb.*${folder.path}`)).length > 0);
  for (const pid of creators) process.kill(pid, 'SIGSTOP');
  const stopped = gateway.stop();
  // This is longer than the gateway waits for its start to finish.
  await delay(11_000);
  for (const pid of creators) process.kill(pid, 'SIGCONT');
  const exit = await stopped;
  const server = await findServer(join(folder.path, 'postgres'));
  const processes = await processesOf(folder.path);
  await folder.remove();
  return { exit, server, processes };
}

/** Ids of the processes whose command line matches the pattern. */
async function processesOf(pattern: string): Promise<number[]> {
  const { stdout } = await promisify(execFile)('pgrep', ['-f', pattern]).catch(() => ({ stdout: '' }));
  return stdout.split('\n').filter(Boolean).map(Number);
}

describe('two gateways that start at once on an empty database', () => {
  // promises: START-1
  it('migrate it once, and both serve', async () => {
    await buildIfNeeded();
    const database = await freshDatabase('empty');
    const production = await productionEnvironment(database.url);
    const { PORT: _, ...shared } = production.variables;
    const gateways = await Promise.all([GatewayProcess.start(shared), GatewayProcess.start(shared)]);
    const token = await production.token();
    for (const gateway of gateways) {
      expect((await gateway.get('/readyz')).status).toBe(200);
      expect((await gateway.get('/userinfo', token)).status).toBe(200);
    }
    const migrations = await database.query<{ name: string }>('SELECT name FROM schema_migrations');
    expect(migrations).toHaveLength(new Set(migrations.map(({ name }) => name)).size);
    const exits = await Promise.all(gateways.map((gateway) => gateway.stop()));
    expect(exits).toEqual([
      { code: 0, signal: null },
      { code: 0, signal: null },
    ]);
    await production.provider.close();
    await database.drop();
  });
});
