import { setTimeout as delay } from 'node:timers/promises';
import { Client, Query } from 'pg';
import postgres from 'postgres';
import { describeDataPath } from '../../support/describe';
import { eventually } from '../../support/eventually';
import { psql, type PsqlResult } from '../../support/psql';
import { whyWithout } from '../../support/tls';
import { proxyPort, sessionNamed, signInOf } from '../../support/visitor';
import { volume } from '../../support/volume';
import type { Way } from '../../support/wire-path';

jest.setTimeout(480_000);

const TIMES = volume(2, 40);
const CAUSE = 'The session was ended by admin@example.com.';
/**
 * The package `postgres` reports this error for any error that ends a connection within a result. It does so
 * with a direct connection to PostgreSQL too.
 */
const CLOSED = { code: 'CONNECTION_CLOSED' };

/** Query whose rows come for minutes. The server sends them in blocks, which mostly end within a row. */
const ROWS =
  "SELECT g, repeat('x', 40 + g % 50) AS x, pg_sleep(0.0002)::text AS s FROM generate_series(1, 1000000) g";
const isRow = (line: string, number: number): boolean =>
  line === `${number}\t${'x'.repeat(40 + (number % 50))}\t`;
/** Query with rows of 300 kB, which the server sends in parts. */
const LARGE_ROWS =
  "SELECT g, repeat('x', 300000) AS x, pg_sleep(0.01)::text AS s FROM generate_series(1, 1000000) g";

/** Sessions that are killed while a result is sent. Each client gets whole rows, and then the reason. */
// promises: PROXY-7
describeDataPath('a session that is killed within a result', ({ path }) => {
  let count = 0;
  const wayIn = async (): Promise<{ way: Way; name: string }> => {
    const signIn = await signInOf(path);
    count += 1;
    const way = { host: '127.0.0.1', port: proxyPort(path.gateway), database: 'orders', ...signIn };
    return { way, name: `within-${count}` };
  };
  /** Kills the session a short time after the client received the first rows. */
  const killWithin = async (name: string, hasRows: () => boolean): Promise<void> => {
    await eventually('the client has rows', hasRows);
    // Varies the delay, so that the last block of bytes ends at another offset of a row each time.
    await delay((count * 71) % 300);
    const { id } = await sessionNamed(path.gateway.database, name);
    expect((await path.gateway.call('admin', 'POST', `/sessions/${id}/kill`)).status).toBe(204);
  };
  const expectRows = (lines: readonly string[]): void => {
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.filter((line, index) => !isRow(line, index + 1))).toEqual([]);
  };

  /** Runs a query with node-postgres and kills its session. Returns the rows received, and the error. */
  const byPg = async (text: string): Promise<{ lines: string[]; error: string }> => {
    const { way, name } = await wayIn();
    const client = new Client({ ...way, application_name: name });
    client.on('error', () => undefined);
    await client.connect();
    const lines: string[] = [];
    const query = new Query<[number, string, string]>({ text, rowMode: 'array' } as never);
    query.on('row', (row: unknown) => lines.push((row as unknown[]).join('\t')));
    const failed = new Promise<string>((resolve) =>
      query.on('error', (error: Error & { code?: string }) => resolve(`${error.code}: ${error.message}`)),
    );
    client.query(query);
    await killWithin(name, () => lines.length > 0);
    const error = await failed;
    await client.end().catch(() => undefined);
    return { lines, error };
  };

  it('node-postgres: a SELECT', async () => {
    for (let time = 0; time < TIMES; time += 1) {
      const { lines, error } = await byPg(ROWS);
      expectRows(lines);
      expect(error).toBe(`57P01: ${CAUSE}`);
    }
  });

  it('node-postgres: rows that are sent in parts: whole ones, and then why or the end', async () => {
    for (let time = 0; time < TIMES; time += 1) {
      const { lines, error } = await byPg(LARGE_ROWS);
      for (const [index, line] of lines.entries())
        expect(line === `${index + 1}\t${'x'.repeat(300_000)}\t`).toBe(true);
      expect([`57P01: ${CAUSE}`, 'undefined: Connection terminated unexpectedly']).toContain(error);
    }
  });

  const bySql = async <T>(
    work: (sql: postgres.Sql) => Promise<T>,
    hasRows: () => boolean,
  ): Promise<unknown> => {
    const { way, name } = await wayIn();
    const { user, ...rest } = way;
    const sql = postgres({
      ...rest,
      username: user,
      max: 1,
      fetch_types: false,
      connection: { application_name: name },
    });
    const failed = work(sql).catch((error: unknown) => error);
    await killWithin(name, hasRows);
    const error = await failed;
    await sql.end({ timeout: 1 });
    return error;
  };

  it('postgres (the package): a SELECT by the extended protocol', async () => {
    for (let time = 0; time < TIMES; time += 1) {
      const lines: string[] = [];
      const error = await bySql(
        (sql) =>
          sql.unsafe(ROWS, [], { prepare: true }).forEach((row) => lines.push(Object.values(row).join('\t'))),
        () => lines.length > 0,
      );
      expectRows(lines);
      expect(error).toMatchObject(CLOSED);
    }
  });

  it('postgres (the package): a COPY', async () => {
    for (let time = 0; time < TIMES; time += 1) {
      let seen = '';
      const error = await bySql(
        async (sql) => {
          const readable = await sql.unsafe(`COPY (${ROWS}) TO STDOUT`).readable();
          for await (const piece of readable) seen += String(piece);
        },
        () => seen.length > 0,
      );
      expect(seen.endsWith('\n')).toBe(true);
      expectRows(seen.slice(0, -1).split('\n'));
      expect(error).toMatchObject(CLOSED);
    }
  });

  const killedPsql = async (args: readonly string[]): Promise<PsqlResult> => {
    const { way, name } = await wayIn();
    let hasRows = false;
    const running = psql(way, args, {
      env: { PGAPPNAME: name },
      onOutput: () => {
        hasRows = true;
      },
    });
    await killWithin(name, () => hasRows);
    return running;
  };

  const missing = whyWithout('psql');
  const withPsql = missing === undefined ? it : it.skip;

  withPsql(`psql: a COPY, and a cursor${missing === undefined ? '' : ` (skipped: ${missing})`}`, async () => {
    for (let time = 0; time < TIMES; time += 1) {
      const copy = await killedPsql(['-c', `COPY (${ROWS}) TO STDOUT`]);
      expect([copy.stdout.endsWith('\n'), copy.code]).toEqual([true, 2]);
      expectRows(copy.stdout.slice(0, -1).split('\n'));
      expect(copy.stderr).toContain(`FATAL:  ${CAUSE}`);
      const fetched = await killedPsql(['-AtF', '\t', '-v', 'FETCH_COUNT=50', '-c', ROWS]);
      // Removes the last newline, because psql prints the newline of the last row only at the end of the
      // result.
      expectRows(fetched.stdout.replace(/\n$/, '').split('\n'));
      expect([fetched.stderr.includes(`FATAL:  ${CAUSE}`), fetched.code]).toEqual([true, 2]);
    }
  });
});
