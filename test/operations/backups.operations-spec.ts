import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { describeProcesses } from '../support/describe';
import { eventually } from '../support/eventually';
import { freePort } from '../support/free-port';
import { GatewayProcess, until } from '../support/gateway-process';
import { DebianServer } from '../support/operations/debian-server';
import { OperationsPage } from '../support/operations/page';
import { serverPrograms } from '../support/operations/server-programs';
import { secretOf } from '../support/target';

jest.setTimeout(300_000);

const page = new OperationsPage('backups.md');
const CLIENTS = 6;
/**
 * Minimum number of answered inputs before the test destroys the database. Inputs in flight at that moment
 * count as well.
 */
const INPUTS = 400;

if (serverPrograms() === undefined)
  it.skip('backups (skipped: no programs of a PostgreSQL server below /usr/lib/postgresql)', () => undefined);
else
  describeProcesses('docs/operations/backups.md', ({ folder, target, production, begin }) => {
    const server = begin(() => DebianServer.start(folder.path));
    const journal = (): string => join(folder.path, 'journal');
    let token: string;
    let postgresPort: number;

    beforeAll(async () => {
      token = await production.token();
      postgresPort = await freePort();
    });

    const variables = (): Record<string, string> => ({
      ...production.variables,
      DATABASE_URL: server.url(),
      JOURNAL_DIR: journal(),
      POSTGRES_PROXY_PORT: String(postgresPort),
      ADMIN_EMAILS: 'admin@example.com',
    });
    const start = (): Promise<GatewayProcess> => GatewayProcess.start(variables());
    const run = async (gateway: GatewayProcess, script: string): Promise<string> => {
      const answer = await gateway.post('/sessions', token, { connection: 'orders', script });
      const { session_id, output } = (await answer.json()) as { session_id: string; output: string };
      expect(output).toContain('name');
      return session_id;
    };
    const connect = async (gateway: GatewayProcess, name: string): Promise<void> => {
      const secret = secretOf(target);
      const body = { name, type: 'database', subtype: 'postgres', secret, access_groups: ['*'] };
      expect((await gateway.post('/connections', token, body)).status).toBe(201);
    };
    const verified = async (gateway: GatewayProcess, path: string): Promise<unknown> =>
      ((await (await gateway.get(path, token)).json()) as { status: string }).status;
    const restore = async (to: string): Promise<void> => {
      const env = { ...server.variables, RESTORE_TO: to, JOURNAL_DIR: journal() };
      await page.run('restore', env, { asServer: true });
      await page.run('wait', env);
    };
    const isReceived = () =>
      eventually(
        'the log is received',
        async () => {
          const [row] = await server.query<{ received: boolean }>(
            `SELECT bool_and(active AND restart_lsn >= pg_current_wal_lsn()) AS received FROM pg_replication_slots`,
          );
          return row?.received === true;
        },
        60_000,
      );

    // promises: BACKUP-1, BACKUP-2
    it('restores to a point in time, and then everything, with what the journals hold', async () => {
      await page.run('create-slot', server.variables, { asServer: true });
      server.keepRunning(page.text('receive-wal'));
      const first = await start();
      await connect(first, 'orders');
      const before = await run(first, 'SELECT name FROM customers');
      await page.run('base-backup', server.variables, { asServer: true });
      const between = await run(first, 'SELECT name, id FROM customers');
      await until(async () => (await verified(first, `/sessions/${between}/verify`)) === 'valid');
      await until(async () => {
        const { waiting } = (await (await first.get('/sessions/verify', token)).json()) as {
          waiting: number;
        };
        return waiting === 0;
      });
      const [moment] = await server.query<{ now: string }>('SELECT clock_timestamp()::text AS now');

      // The database is restored to `moment`. The following changes are later, so they are lost.
      const after = await run(first, 'SELECT name FROM customers WHERE id = 1');
      expect(
        (
          await fetch(`${first.api}/connections/orders`, {
            method: 'DELETE',
            headers: { authorization: `Bearer ${token}` },
          })
        ).status,
      ).toBe(204);
      await first.stop();
      await isReceived();
      await server.lose();

      await restore(moment?.now ?? '');
      await page.run('put-journals-away', { JOURNAL_DIR: journal() });
      expect((await stat(`${journal()}.before-restore`)).isDirectory()).toBe(true);
      await page.run('doctor', variables());
      const second = await start();
      for (const session of [before, between])
        expect(await verified(second, `/sessions/${session}/verify`)).toBe('valid');
      expect((await second.get(`/sessions/${after}`, token)).status).toBe(404);
      expect(await verified(second, '/sessions/verify')).toBe('valid');
      await run(second, 'SELECT name FROM customers WHERE id = 2');
      await second.stop();
    });

    // promises: BACKUP-2
    it('loses no acknowledged event with the database, its disk and then the gateway', async () => {
      // Makes a new base backup, which is needed after each restore, because a restore begins a new timeline.
      await page.run('clear-backup', server.variables, { asServer: true });
      await page.run('create-slot', server.variables, { asServer: true });
      server.keepRunning(page.text('receive-wal'));
      await page.run('base-backup', server.variables, { asServer: true });
      const gateway = await start();
      await connect(gateway, 'ledger');
      await page.run('wait-for-receiver', server.variables);
      const clients = await Promise.all(Array.from({ length: CLIENTS }, () => clientOf(postgresPort, token)));
      const acknowledged: string[] = [];
      const work = Promise.all(clients.map((client, place) => askOn(client, place, acknowledged)));
      await until(() => acknowledged.length >= INPUTS);
      await server.lose();
      await work;
      gateway.kill('SIGKILL');
      await gateway.exited;
      expect(acknowledged.length).toBeGreaterThanOrEqual(INPUTS);

      await restore('');
      const next = await start();
      const isOver = async (): Promise<boolean> => {
        const [row] = await server.query<{ open: number }>(
          `SELECT count(*)::int AS open FROM sessions WHERE status <> 'done'`,
        );
        return row?.open === 0;
      };
      await until(isOver);
      const sessions = await server.query<{ id: string }>(`SELECT id FROM sessions WHERE verb = 'connect'`);
      const recordings = await Promise.all(
        sessions.map(async ({ id }) => {
          const answer = await next.get(`/sessions/${id}?event_stream=raw-queries`, token);
          const { event_stream } = (await answer.json()) as { event_stream: [number, string, string][] };
          return event_stream.map(([, , input]) => Buffer.from(input, 'base64').toString()).join('\n');
        }),
      );
      expect(sessions).toHaveLength(CLIENTS);
      expect(recordings[0]).toMatch(/input-/);
      const recorded: readonly string[] = recordings.join('\n').match(/input-\d+-\d+-end/g) ?? [];
      expect(acknowledged.filter((input) => !recorded.includes(input))).toEqual([]);
      expect(recorded.length - new Set(recorded).size).toBe(0);
      for (const { id } of sessions) expect(await verified(next, `/sessions/${id}/verify`)).toBe('valid');
      await next.stop();
    });

    it('runs everything that the page tells to run', () => {
      expect(page.notRun).toEqual([]);
    });
  });

/** Connects a client. Retries, because a session's first commit waits for the WAL receiver, which may lag. */
function clientOf(port: number, password: string): Promise<Client> {
  return eventually('a session begins', async () => {
    const client = new Client({ host: '127.0.0.1', port, user: 'me', password, database: 'ledger' });
    client.on('error', () => undefined);
    return client.connect().then(
      () => client,
      () => undefined,
    );
  });
}

/**
 * Sends one input after another until one fails, because the gateway refuses inputs without its database.
 * Adds each answered input to `acknowledged`.
 */
async function askOn(client: Client, place: number, acknowledged: string[]): Promise<void> {
  for (let number = 1; ; number += 1) {
    const input = `input-${place}-${number}-end`;
    try {
      await client.query(`SELECT '${input}'`);
    } catch {
      return;
    }
    acknowledged.push(input);
  }
}
