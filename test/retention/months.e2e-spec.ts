import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { Client } from 'pg';
import { v7 as uuid7 } from 'uuid';
import { RecordingMonths } from '../../src/sessions/retention/recording-months';
import { describeDataPath } from '../support/describe';
import { eventually } from '../support/eventually';
import { purge, remainsOf, retentionOf, storeRecordings } from '../support/retention';
import { someOf, volume } from '../support/volume';

/** Monthly partitions. They are created before they are needed, and dropped when they are empty. */
describeDataPath('months of recordings', ({ path }) => {
  const query = <T extends object>(text: string, values?: unknown[]) =>
    path.gateway.database.query<T>(text, values);
  const remains = (ids: readonly string[]) => remainsOf(path.gateway.database, ids);
  const partitions = async (month: string) =>
    (
      await query<{ name: string }>(
        `SELECT relname AS name FROM pg_class WHERE relname ~ $1 AND relkind = 'r' ORDER BY 1`,
        [`^session_(chunks|texts)_${month}$`],
      )
    ).map(({ name }) => name);
  const both = (month: string) => [`session_chunks_${month}`, `session_texts_${month}`];
  const on = (month: string, day = 10) => new Date(`${month.replace('_', '-')}-${day}T12:00:00Z`);
  /** Creates the partitions of a past month, as if the gateway had run in that month. */
  const begin = async (month: string) => {
    await query('SELECT ensure_recording_month($1)', [on(month)]);
    expect(await partitions(month)).toEqual(both(month));
  };
  let count = 0;
  const connection = () => path.connect(`months-${++count}`, { retention_days: 30 });
  const works = async () => {
    const { status, body } = await path.run('SELECT 1');
    expect([status, body.output_status]).toEqual([200, 'success']);
    expect(await path.recording(body.session_id)).toHaveLength(2);
  };
  /** Clients of open transactions. After a failed test they are closed, so that their locks block no test. */
  const lockers = new Set<Client>();
  /** Opens a transaction that locks rows or tables. Returns a function that ends the transaction. */
  const locked = async (sql: string) => {
    const client = new Client({ connectionString: path.gateway.database.url });
    await client.connect();
    lockers.add(client);
    await client.query(`BEGIN; ${sql}`);
    return async () => {
      lockers.delete(client);
      await client.end();
    };
  };

  afterEach(async () => {
    for (const client of lockers) await client.end();
    lockers.clear();
  });

  it('are dropped as a whole when all is due, otherwise row by row', async () => {
    const connectionId = await connection();
    const forever = await path.connect('months-for-ever');
    const store = (month: string, more: object = {}) =>
      storeRecordings(path.gateway.database, { connectionId, start: on(month), count: 5, ...more });
    for (const month of ['2024_01', '2024_02', '2024_03', '2024_04', '2024_05']) await begin(month);
    const due = [
      await store('2024_01'),
      await store('2024_02'),
      await store('2024_03'),
      await store('2024_04'),
    ].flat();
    const kept = [
      await store('2024_02', { count: 1, held: true }),
      await store('2024_03', { count: 1, status: 'open' }),
      await store('2024_04', { count: 1, connectionId: forever }),
    ].flat();
    // The default partition has recordings whose ids contain no time. It also has the recordings of
    // months that never had a partition.
    const strange = await store('2024_01', {
      ids: ['00000000-0000-4000-8000-000000000001', 'ffffffff-ffff-4fff-bfff-fffffffffff1'],
    });
    const unplaced = await store('2023_06');
    const run = await purge(path.gateway);
    expect(run).toMatchObject({
      outcome: 'finished',
      error: null,
      purged: 27,
      removed: 27,
      months_dropped: 2,
    });
    for (const [month, names] of [
      ['2024_01', []],
      ['2024_02', both('2024_02')],
      ['2024_03', both('2024_03')],
      ['2024_04', both('2024_04')],
      // Nothing was recorded in this month.
      ['2024_05', []],
    ] as const)
      expect([month, await partitions(month)]).toEqual([month, names]);
    expect(new Set(await remains([...due, ...strange, ...unplaced]))).toEqual(new Set(['gone']));
    expect(new Set(await remains(kept))).toEqual(new Set(['whole']));
    // The partitions of this month and of the next two exist for new recordings.
    expect((await partitions('\\d{4}_\\d\\d')).length).toBe(12);
    await works();
  });

  it('are dropped without blocking readers and recorders', async () => {
    const connectionId = await connection();
    const months = someOf(['01', '02', '03', '04', '05', '06'], 3).map((month) => `2022_${month}`);
    const stored = 200 * months.length;
    for (const month of months) {
      await begin(month);
      await storeRecordings(path.gateway.database, { connectionId, start: on(month), count: 200 });
    }
    const { body } = await path.run("SELECT 'read again and again'");
    const waits: number[] = [];
    const over = new AbortController();
    const busy = async () => {
      while (!over.signal.aborted) {
        const from = performance.now();
        await works();
        expect((await path.read(body.session_id, '?event_stream=utf8')).body.event_stream).toHaveLength(1);
        expect((await path.gateway.call('admin', 'GET', '/sessions?q=again')).status).toBe(200);
        waits.push(performance.now() - from);
        // In `npm run test:long`, readers and recorders make no pause.
        await delay(volume(25, 0));
      }
    };
    const others = Promise.all(Array.from({ length: volume(2, 3) }, busy));
    const run = await purge(path.gateway).finally(() => over.abort());
    await others;
    expect(run).toMatchObject({
      purged: stored,
      removed: stored,
      months_dropped: months.length,
      error: null,
    });
    for (const month of months) expect(await partitions(month)).toEqual([]);
    expect(waits.length).toBeGreaterThan(0);
  });

  it('wait until nobody reads in them; meanwhile others record, and what is due is read by nobody', async () => {
    await begin('2021_01');
    const [id = ''] = await storeRecordings(path.gateway.database, {
      connectionId: await connection(),
      start: on('2021_01'),
    });
    const letGo = await locked('SELECT FROM session_chunks');
    const running = purge(path.gateway);
    await eventually('it is purged', async () => (await path.read(id)).body.recording_purged_at !== null);
    await works();
    await works();
    const run = await running;
    expect(run).toMatchObject({
      outcome: 'finished',
      purged: 1,
      removed: 0,
      months_dropped: 0,
      error: 'In use, and so to be removed by a later run: 2021-01.',
    });
    expect(await partitions('2021_01')).toEqual(both('2021_01'));
    expect(await retentionOf(path.gateway)).toMatchObject({
      running: false,
      waiting: 1,
      last_error: run.error,
    });
    expect((await path.read(id, '?expand=event_stream')).status).toBe(404);
    await letGo();
    expect(await purge(path.gateway)).toMatchObject({ due: 0, purged: 0, removed: 1, months_dropped: 1 });
    expect(await partitions('2021_01')).toEqual([]);
    expect(await retentionOf(path.gateway)).toMatchObject({ waiting: 0, last_error: null });
  });

  describe('that come', () => {
    const months = () => path.gateway.app.get(RecordingMonths, { strict: false });
    const inTwoMonths = async () => {
      const [row] = await query<{ name: string; at: Date }>(
        `SELECT to_char(at AT TIME ZONE 'UTC', 'YYYY_MM') AS name, at FROM (SELECT now() + interval '2 months' AS at) AS it`,
      );
      return row!;
    };

    it('are created beside those who read and record, or a little later', async () => {
      const { name } = await inTwoMonths();
      await query(`DROP TABLE ${both(name).join(', ')}`);
      const letGo = await locked('SELECT FROM session_chunks; SELECT FROM session_texts');
      await months().ensure();
      expect(await partitions(name)).toEqual([]);
      await works();
      await letGo();
      await Promise.all([months().ensure(), months().ensure(), works()]);
      expect(await partitions(name)).toEqual(both(name));
    });

    it('stay in the default partition when they have begun there; that is said once, and all works', async () => {
      const { name, at } = await inTwoMonths();
      await query(`DROP TABLE ${both(name).join(', ')}`);
      const [id = ''] = await storeRecordings(path.gateway.database, {
        connectionId: await connection(),
        start: at,
        ids: [uuid7({ msecs: at.getTime() })],
      });
      const warn = jest.spyOn(Logger.prototype, 'warn');
      for (let look = 0; look < 3; look++) await months().ensure();
      expect(warn.mock.calls.map(([message]) => String(message))).toEqual([
        expect.stringMatching(new RegExp(`created for ${name}: the default partition`)),
      ]);
      warn.mockRestore();
      expect(await partitions(name)).toEqual([]);
      expect(await remains([id])).toEqual(['whole']);
      await works();
      // The purge also removes recordings from the default partition.
      await query(`UPDATE sessions SET end_date = now() - interval '31 days' WHERE id = $1`, [id]);
      expect(await purge(path.gateway)).toMatchObject({ purged: 1, removed: 1 });
      expect(await remains([id])).toEqual(['gone']);
      expect(await remains([randomUUID()])).toEqual(['torn']);
    });
  });
});
