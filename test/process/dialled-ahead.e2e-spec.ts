import { Agent, request } from 'node:http';
import { describeProcesses } from '../support/describe';
import { GatewayProcess, until } from '../support/gateway-process';
import { secretOf } from '../support/target';
import { volume } from '../support/volume';

/** Number of workers: one that changes a secret or is killed, and at least one other. */
const WORKERS = volume(2, 3);
/** Number of connections per worker that the target must allow. With fewer, workers do not dial ahead. */
const LEAST_ROOM = 10;
jest.setTimeout(480_000);

/**
 * Gateways dial targets ahead, then are killed or run in several processes. The tests count the connections
 * at the target itself.
 */
describeProcesses('connections that processes dial ahead', ({ folder, database, target, production }) => {
  let token: string;
  /** A gateway of several worker processes. It starts after another gateway was killed. */
  let gateway: GatewayProcess;
  const gateways: GatewayProcess[] = [];

  beforeAll(async () => {
    token = await production.token();
  });

  afterAll(async () => {
    for (const gateway of gateways) gateway.kill('SIGKILL');
    await Promise.all(gateways.map(({ exited }) => exited));
  });

  async function start(variables: Record<string, string> = {}): Promise<GatewayProcess> {
    const gateway = await GatewayProcess.start({
      ...production.variables,
      JOURNAL_DIR: folder.path,
      HEARTBEAT_SECONDS: '1',
      ...variables,
    });
    gateways.push(gateway);
    return gateway;
  }

  /** Creates a role at the target, and a gateway connection that signs in with it. */
  async function connect(gateway: GatewayProcess, name: string, more = ''): Promise<void> {
    const secret = { ...secretOf(target), ...(await role(name, more)) };
    const body = { name, type: 'database', subtype: 'postgres', secret };
    expect((await gateway.post('/connections', token, body)).status).toBe(201);
  }

  async function role(name: string, more = ''): Promise<Record<string, string>> {
    await target.query(`CREATE ROLE ${name} LOGIN PASSWORD 'canary' ${more}`);
    return { USER: name, PASS: 'canary' };
  }

  /** Sends a request over a new connection, because new connections go to the workers in turn. */
  async function send(
    gateway: GatewayProcess,
    method: string,
    path: string,
    body: object,
  ): Promise<Record<string, unknown>> {
    const agent = new Agent();
    try {
      const text = await new Promise<string>((resolve, reject) => {
        const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
        const sent = request(`${gateway.api}${path}`, { agent, method, headers });
        sent.once('error', reject);
        sent.once('response', (response) => {
          response
            .setEncoding('utf8')
            .toArray()
            .then((parts) => resolve((parts as string[]).join('')), reject);
        });
        sent.end(JSON.stringify(body));
      });
      return JSON.parse(text) as Record<string, unknown>;
    } finally {
      agent.destroy();
    }
  }

  /** Runs a script; returns the one value of its result. */
  async function run(gateway: GatewayProcess, connection: string, script: string): Promise<string> {
    const answer = await send(gateway, 'POST', '/sessions', { connection, script });
    expect(answer).toMatchObject({ output_status: 'success' });
    return String(answer['output']).split('\n')[1] ?? '';
  }

  const pids = (gateway: GatewayProcess, connection: string, count: number): Promise<string[]> =>
    Promise.all(Array.from({ length: count }, () => run(gateway, connection, 'SELECT pg_backend_pid()')));

  /** Process ids of the role's unused sessions on the target, or with `all`, of all its sessions. */
  async function sessionsOf(name: string, all = false): Promise<string[]> {
    const rows = await target.query<{ pid: number }>(
      `SELECT pid FROM pg_stat_activity WHERE usename = $1 AND ($2 OR (state = 'idle' AND query = ''))`,
      [name, all],
    );
    return rows.map(({ pid }) => String(pid));
  }

  /** Runs scripts until at least `least` unused connections are open at the target. */
  async function keepBusy(
    gateway: GatewayProcess,
    connection: string,
    least: number,
    user = connection,
  ): Promise<void> {
    await until(async () => {
      await pids(gateway, connection, 2 * WORKERS);
      return (await sessionsOf(user)).length >= least;
    });
  }

  // promises: RUN-14, LIFE-4
  it('are gone with a gateway that is killed, and the session that it ran is ended', async () => {
    const first = await start();
    await connect(first, 'killed_one');
    await keepBusy(first, 'killed_one', 2);
    // The statement is short, because PostgreSQL does not notice during a statement that its client is gone.
    const script = { connection: 'killed_one', script: 'SELECT pg_sleep(5)' };
    const answer = send(first, 'POST', '/sessions', script).catch(() => 'no answer');
    let session = '';
    await until(async () => {
      const rows = await database.query<{ id: string }>('SELECT id FROM sessions WHERE script = $1', [
        script.script,
      ]);
      session = rows[0]?.id ?? '';
      return session !== '';
    });
    await keepBusy(first, 'killed_one', 1);
    first.kill('SIGKILL');
    await first.exited;
    expect(await answer).toBe('no answer');
    await until(async () => (await sessionsOf('killed_one')).length === 0);
    await until(async () => (await sessionsOf('killed_one', true)).length === 0);

    gateway = await start({ WORKERS: String(WORKERS) });
    await gateway.says(`${WORKERS} workers serve`);
    await until(async () => {
      const [row] = await database.query<{ status: string }>('SELECT status FROM sessions WHERE id = $1', [
        session,
      ]);
      return row?.status === 'done';
    });
    const open = await database.query('SELECT FROM sessions WHERE status <> $1', ['done']);
    expect(open).toEqual([]);
    expect(await run(gateway, 'killed_one', 'SELECT 7')).toBe('7');
    await until(async () => (await sessionsOf('killed_one', true)).length === 0);
  });

  describe('of several processes', () => {
    /** Process ids of the workers. */
    const workers = (): number[] =>
      gateway
        .logLines()
        .filter(({ msg }) => String(msg).startsWith('listening on'))
        .map(({ pid }) => Number(pid));

    // promises: RUN-14
    it('are each used by one script', async () => {
      await connect(gateway, 'used_once');
      await keepBusy(gateway, 'used_once', 2);
      const used: string[] = [];
      for (let round = 0; round < 5; round++) used.push(...(await pids(gateway, 'used_once', 2 * WORKERS)));
      expect(new Set(used).size).toBe(used.length);
      await until(async () => (await sessionsOf('used_once', true)).length === 0);
    });

    // promises: RUN-14
    it('are used by no worker once another one changed the secret', async () => {
      await connect(gateway, 'before_change');
      for (const [before, after] of [
        ['before_change', 'after_change'],
        ['after_change', 'after_that'],
      ] as const) {
        const secret = await role(after);
        await keepBusy(gateway, 'before_change', 2, before);
        expect(await send(gateway, 'PATCH', '/connections/before_change', { secret })).toMatchObject({
          name: 'before_change',
        });
        const names = await Promise.all(
          Array.from({ length: 4 * WORKERS }, () => run(gateway, 'before_change', 'SELECT current_user')),
        );
        expect(new Set(names)).toEqual(new Set([after]));
        await until(async () => (await sessionsOf(before, true)).length === 0);
      }
    });

    // promises: RUN-14
    it.each([12, LEAST_ROOM * WORKERS - 1])(
      'leave room at a target that takes %i connections',
      async (limit) => {
        const name = `limited_to_${limit}`;
        await connect(gateway, name, `CONNECTION LIMIT ${limit}`);
        for (let round = 0; round < 5; round++) {
          expect(new Set(await pids(gateway, name, 2 * WORKERS)).size).toBe(2 * WORKERS);
          expect(await sessionsOf(name)).toEqual([]);
        }
      },
    );

    // promises: RUN-14
    it('are gone with a worker that is killed, and those of the others are used', async () => {
      await connect(gateway, 'killed_worker');
      await keepBusy(gateway, 'killed_worker', 2);
      const [first] = workers();
      process.kill(first ?? 0, 'SIGKILL');
      await until(async () => (await sessionsOf('killed_worker', true)).length === 0);
      await until(() => workers().length === WORKERS + 1);
      await keepBusy(gateway, 'killed_worker', 2);
    });

    // promises: RUN-14
    it('are gone with all of them', async () => {
      await connect(gateway, 'killed_all');
      await keepBusy(gateway, 'killed_all', 2);
      gateway.kill('SIGKILL');
      await gateway.exited;
      await until(async () => (await sessionsOf('killed_all', true)).length === 0);
    });
  });
});
