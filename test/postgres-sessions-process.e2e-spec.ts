import { readFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { Client } from 'pg';
import { type TestDatabase, freshDatabase } from './support/database';
import { eventually } from './support/eventually';
import { freePort } from './support/free-port';
import {
  GatewayProcess,
  buildIfNeeded,
  productionEnvironment,
  temporaryFolder,
  until,
} from './support/gateway-process';
import { freshTarget, secretOf } from './support/target';
import { type SessionRow, sessionNamed } from './support/visitor';

const MEBIBYTE = 1024 * 1024;
const STOPPING = 'FATAL 57P01: The gateway is shutting down.';

/** A gateway as a process of its own, with PostgreSQL clients: told to stop, killed, and made to carry much. */
describe('a gateway process with PostgreSQL clients', () => {
  let database: TestDatabase;
  let target: TestDatabase;
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let production: Awaited<ReturnType<typeof productionEnvironment>>;
  let token: string;
  let port: number;
  let gateway: GatewayProcess;
  let clients = 0;

  const start = async (more: Record<string, string> = {}): Promise<void> => {
    gateway = await GatewayProcess.start({
      ...production.variables,
      DATA_DIR: join(folder.path, 'data'),
      HEARTBEAT_SECONDS: '1',
      POSTGRES_PROXY_PORT: String(port),
      ...more,
    });
  };

  beforeAll(async () => {
    await buildIfNeeded();
    [database, target, folder, port] = await Promise.all([
      freshDatabase(),
      freshTarget(),
      temporaryFolder(),
      freePort(),
    ]);
    production = await productionEnvironment(database.url);
    token = await production.token();
    await start();
    const connection = { name: 'orders', type: 'database', subtype: 'postgres', secret: secretOf(target) };
    expect((await gateway.post('/connections', token, connection)).status).toBe(201);
  }, 180_000);

  afterAll(async () => {
    gateway.kill('SIGKILL');
    await gateway.exited;
    await production.provider.close();
    await Promise.all([database.drop(), target.drop(), folder.remove()]);
  });

  /** A client, its name, and the last words it is told; '' when it is told none. */
  const enter = async (): Promise<{ client: Client; name: string; lastWords: Promise<string> }> => {
    const name = `client-${++clients}`;
    const client = new Client({
      host: '127.0.0.1',
      port,
      user: 'me',
      password: token,
      database: 'orders',
      application_name: name,
    });
    let words = '';
    client.on('error', () => undefined);
    const { connection } = client as unknown as {
      connection: { on(event: 'errorMessage', heard: (error: Record<string, string>) => void): void };
    };
    connection.on(
      'errorMessage',
      ({ severity, code, message }) => (words = `${severity} ${code}: ${message}`),
    );
    const lastWords = new Promise<string>((ended) => client.once('end', () => ended(words)));
    await client.connect();
    return { client, name, lastWords };
  };

  const isAtWork = (name: string) => async (): Promise<boolean> => {
    const rows = await target.query(
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND state = 'active' AND application_name = $1`,
      [name],
    );
    return rows.length > 0;
  };

  const nobodyIsLeft = async (): Promise<boolean> => {
    const rows = await target.query(
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE 'client-%'`,
    );
    return rows.length === 0;
  };

  const done = (name: string): Promise<SessionRow> =>
    eventually(
      `the session of ${name} is done`,
      async () => {
        const session = await sessionNamed(database, name);
        return session.status === 'done' && session;
      },
      20_000,
    );

  const recording = async (id: string): Promise<string[]> => {
    const view = await (await gateway.get(`/sessions/${id}?expand=event_stream`, token)).json();
    const { event_stream } = view as { event_stream: [number, string, string][] };
    return event_stream.map(([, type, content]) => `${type} ${Buffer.from(content, 'base64').toString()}`);
  };

  it('that is told to stop lets what runs finish, and nothing more begin', async () => {
    const [idle, busy] = [await enter(), await enter()];
    const answer = busy.client.query("SELECT pg_sleep(1.5), 'kept' AS word");
    await until(isAtWork(busy.name));
    const stopping = gateway.stop();
    expect(await idle.lastWords).toBe(STOPPING);
    expect((await answer).rows).toMatchObject([{ word: 'kept' }]);
    expect(await busy.lastWords).toBe(STOPPING);
    expect(await stopping).toEqual({ code: 0, signal: null });
    for (const { name } of [idle, busy])
      expect(await sessionNamed(database, name)).toMatchObject({
        status: 'done',
        exit_code: 254,
        end_date: expect.any(Date),
      });
    expect(await nobodyIsLeft()).toBe(true);
    await start();
    const { id } = await sessionNamed(database, busy.name);
    expect(await recording(id)).toEqual([
      "i SELECT pg_sleep(1.5), 'kept' AS word",
      'o SELECT 1\n',
      'e The gateway is shutting down.\n',
    ]);
  });

  it('that is told to stop ends what outlasts the grace: queries, transactions, and scripts in the same time', async () => {
    gateway.kill('SIGKILL');
    await gateway.exited;
    await start({ SHUTDOWN_GRACE_SECONDS: '3' });
    const [busy, undecided] = [await enter(), await enter()];
    await undecided.client.query("BEGIN; INSERT INTO customers VALUES (301, 'Eve')");
    busy.client.query('SELECT pg_sleep(600)').catch(() => undefined);
    await until(isAtWork(busy.name));
    const script = gateway.post('/sessions', token, {
      connection: 'orders',
      script: "SET application_name = 'client-script'; SELECT pg_sleep(600)",
    });
    await until(isAtWork('client-script'));
    const stopping = gateway.stop();
    // Within the grace a transaction may still come to its end; this one does not.
    expect((await undecided.client.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
    expect(await busy.lastWords).toBe(STOPPING);
    expect(await undecided.lastWords).toBe(STOPPING);
    expect(await (await script).json()).toMatchObject({ exit_code: 254 });
    expect(await stopping).toEqual({ code: 0, signal: null });
    await until(nobodyIsLeft);
    for (const { name } of [busy, undecided])
      expect(await sessionNamed(database, name)).toMatchObject({ status: 'done', exit_code: 254 });
    expect(await target.query('SELECT FROM customers WHERE id = 301')).toEqual([]);
    await start();
  });

  it('that is killed: the next one closes the session, and its recording holds all that was acknowledged', async () => {
    const { client, name, lastWords } = await enter();
    const answered: string[] = [];
    for (let number = 0; number < 200; number += 1) {
      const statement = `INSERT INTO customers VALUES (${1_000 + number}, 'kept')`;
      await client.query(statement);
      answered.push(`i ${statement}`, 'o INSERT 0 1\n');
    }
    gateway.kill('SIGKILL');
    expect(await lastWords).toBe('');
    await gateway.exited;
    await until(nobodyIsLeft);
    await start();
    const session = await done(name);
    expect(session).toMatchObject({ exit_code: 254, end_date: expect.any(Date) });
    expect(await recording(session.id)).toEqual([
      ...answered,
      'e The gateway stopped while this session was running.\n',
    ]);
  });

  describe('that carries much', () => {
    const residentBytes = async (): Promise<number> => {
      const status = await readFile(`/proc/${gateway.pid}/status`, 'utf8');
      return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1024;
    };

    /** The most that the gateway grows by until `isSo`, and a while beyond. */
    const growth = async (during: () => Promise<unknown>): Promise<number> => {
      const before = await residentBytes();
      let most = before;
      const look = setInterval(() => {
        void residentBytes().then((now) => (most = Math.max(most, now)));
      }, 50);
      await during();
      clearInterval(look);
      return most - before;
    };

    it('holds a target back whose client does not read a result of 1 GB', async () => {
      const { client, name } = await enter();
      const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
      const grown = await growth(async () => {
        client.query("SELECT repeat('x', 1000) FROM generate_series(1, 1000000)").catch(() => undefined);
        await until(isAtWork(name));
        stream.pause();
        await new Promise((wait) => setTimeout(wait, 4_000));
        expect(await isAtWork(name)()).toBe(true);
      });
      console.info(
        `a client that does not read 1 GB: the gateway grew by ${Math.round(grown / MEBIBYTE)} MiB`,
      );
      expect(grown).toBeLessThan(100 * MEBIBYTE);
      stream.resetAndDestroy();
      await until(nobodyIsLeft);
      expect(await done(name)).toMatchObject({ exit_code: 2 });
    });
  });
});
