import { PurgeRunner } from '../../src/sessions/retention/purge-runner';
import type { RetentionRun } from '../../src/sessions/retention/retention-run.entity';
import { RetentionRuns } from '../../src/sessions/retention/retention-runs';
import { RetentionService } from '../../src/sessions/retention/retention.service';
import { describeDataPath } from '../support/describe';
import { eventually } from '../support/eventually';
import { type TestGateway, startGateway } from '../support/gateway';
import { closedLatch } from '../support/latch';
import {
  daysAgo,
  purge,
  purgedElsewhere,
  remainsOf,
  retentionOf,
  storeRecordings,
} from '../support/retention';
import { volume } from '../support/volume';

const MANY = volume(1_500, 10_000);
/** Number of sessions for purge runs that are interrupted in their second batch of 100. */
const CUT = volume(400, 1_000);

/** A run of the purge. Only one runs at a time, all gateways see it, and a kill does no harm. */
describeDataPath('a purge', ({ path, begin }) => {
  const other = begin(() => startGateway({ beside: path.gateway }));
  let connectionId: string;

  beforeAll(async () => {
    connectionId = await path.connect('short', { retention_days: 1 });
  });

  const query = <T extends object>(text: string, values?: unknown[]) =>
    path.gateway.database.query<T>(text, values);
  const store = (count: number) =>
    storeRecordings(path.gateway.database, { connectionId, start: daysAgo(5), count });
  const remains = async (ids: readonly string[]) => new Set(await remainsOf(path.gateway.database, ids));
  const start = (gateway: TestGateway) => gateway.call('admin', 'POST', '/retention/runs');
  const isOver = (gateway = path.gateway) =>
    eventually('it is over', async () => !(await retentionOf(gateway)).running, 240_000);
  /** Expects that purged recordings cannot be read, and that all other recordings are whole. */
  const expectNothingTorn = async (ids: readonly string[]) => {
    const torn = await query(
      `SELECT id FROM sessions AS session WHERE id = ANY ($1::uuid[]) AND CASE
         WHEN recording_purged_at IS NULL THEN script IS NULL
           OR NOT EXISTS (SELECT FROM session_chunks WHERE session_id = session.id)
           OR NOT EXISTS (SELECT FROM session_texts WHERE session_id = session.id)
         ELSE script IS NOT NULL OR EXISTS (SELECT FROM session_texts WHERE session_id = session.id)
           OR (EXISTS (SELECT FROM session_chunks WHERE session_id = session.id)
             AND NOT EXISTS (SELECT FROM session_removals WHERE session_id = session.id)) END`,
      [ids],
    );
    expect(torn).toEqual([]);
  };
  const linesOf = (id: string) =>
    query<{ actor_id: string; changes: { field: string; after: unknown }[] }>(
      `SELECT actor_id, changes FROM audit_log WHERE resource_type = 'retention/runs' AND resource_id = $1
         AND action = 'delete'`,
      [id],
    );

  /** Makes the purge wait in its second batch. Returns a function that lets it continue. */
  const heldAtSecond = async (event: string): Promise<() => Promise<void>> => {
    const latch = await closedLatch(path.gateway.database);
    await query(`CREATE SEQUENCE batches;
      CREATE FUNCTION hold_second() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF nextval('batches') > 1 THEN PERFORM ${latch.wait}; END IF; RETURN NULL;
      END $$;
      CREATE TRIGGER hold AFTER ${event} FOR EACH STATEMENT EXECUTE FUNCTION hold_second()`);
    return async () => {
      await latch.open();
      await query('DROP FUNCTION hold_second() CASCADE; DROP SEQUENCE batches');
    };
  };

  it('is done by one gateway at a time, and seen from all', async () => {
    const ids = await store(500);
    const answers = await Promise.all([start(path.gateway), start(other), start(other), start(path.gateway)]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([202, 409, 409, 409]);
    expect(answers.find(({ status }) => status === 409)?.body).toEqual({
      message: 'a retention run is already in progress; see GET /retention',
    });
    await isOver(other);
    const { runs } = await retentionOf(other);
    expect(runs).toEqual((await retentionOf(path.gateway)).runs);
    expect(runs).toHaveLength(1);
    expect(runs[0]).toMatchObject({ outcome: 'finished', due: 500, purged: 500, removed: 500 });
    expect(await remains(ids)).toEqual(new Set(['gone']));
  });

  it(`shows how far it is while it goes on, with ${MANY} sessions too`, async () => {
    const ids = await store(MANY);
    expect((await start(path.gateway)).status).toBe(202);
    const seen: { purged: number; waiting: number }[] = [];
    await eventually(
      'it is over',
      async () => {
        const { running, due, purged, waiting } = await retentionOf(other);
        seen.push({ purged, waiting });
        if (purged > 0) expect(due).toBe(MANY);
        return !running;
      },
      480_000,
    );
    const between = new Set(seen.map(({ purged }) => purged).filter((purged) => purged > 0 && purged < MANY));
    expect(between.size).toBeGreaterThan(3);
    expect(seen.map(({ purged }) => purged)).toEqual(seen.map(({ purged }) => purged).sort((a, b) => a - b));
    expect(seen.some(({ waiting }) => waiting > 0)).toBe(true);
    const { runs, waiting } = await retentionOf(other);
    expect(runs[0]).toMatchObject({ purged: MANY, removed: MANY, bytes: 13 * MANY, outcome: 'finished' });
    expect(waiting).toBe(0);
    expect(await remains(ids)).toEqual(new Set(['gone']));
  }, 600_000);

  it.each([
    ['purged > 0', 'UPDATE OF recording_purged_at ON sessions'],
    ['removed > 0', 'DELETE ON session_removals'],
  ])('goes on where it was cut, at any moment (%s)', async (reached, event) => {
    const ids = await store(CUT);
    const letGo = await heldAtSecond(event);
    const { body } = await start(path.gateway);
    await eventually('it is under way', async () => {
      const [row] = await query(`SELECT FROM retention_runs WHERE id = $1 AND ${reached}`, [body.id]);
      return row !== undefined;
    });
    await query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE application_name = 'access-gateway retention' AND datname = current_database()`,
    );
    const status = await eventually('that is written down', async () => {
      const told = await retentionOf(path.gateway);
      return told.runs[0].finished_at !== null && told;
    });
    await letGo();
    expect(status.runs[0]).toMatchObject({ id: body.id, outcome: 'failed', error: status.last_error });
    expect(status.last_error).toMatch(/^The database .*; the next run goes on\.$/);
    await expectNothingTorn(ids);
    expect(await linesOf(body.id)).toHaveLength(1);
    const next = await purge(other);
    expect(status.runs[0].purged + next.purged).toBe(CUT);
    expect(status.runs[0].removed + next.removed).toBe(CUT);
    expect(await remains(ids)).toEqual(new Set(['gone']));
  });

  it.each([
    ['marking', 'UPDATE OF recording_purged_at ON sessions'],
    ['removing', 'DELETE ON session_removals'],
  ])('that fails in the middle of a batch has not done half of it (%s)', async (_, event) => {
    const ids = await store(300);
    await query(`CREATE SEQUENCE batches;
      CREATE FUNCTION fail_second() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF nextval('batches') > 1 THEN RAISE EXCEPTION 'canary of the test'; END IF; RETURN NULL;
      END $$;
      CREATE TRIGGER fail AFTER ${event} FOR EACH STATEMENT EXECUTE FUNCTION fail_second()`);
    const run = await purge(path.gateway);
    await query(`DROP FUNCTION fail_second() CASCADE; DROP SEQUENCE batches`);
    expect(run).toMatchObject({
      outcome: 'failed',
      error: 'Something went wrong, see the log of the gateway; the next run goes on.',
    });
    await expectNothingTorn(ids);
    expect([...(await remains(ids))].length).toBeGreaterThan(1);
    await purge(path.gateway);
    expect(await remains(ids)).toEqual(new Set(['gone']));
  });

  it('of a dead gateway is reported as interrupted, and gets its audit line', async () => {
    const [row] = await query<{ id: string }>(
      `INSERT INTO retention_runs (org_id, due, purged, bytes) SELECT id, 9, 5, 50 FROM organizations RETURNING id`,
    );
    const id = row?.id ?? '';
    const died = {
      id,
      outcome: 'interrupted',
      error: expect.stringContaining('cut off while it was purging'),
    };
    const told = await retentionOf(path.gateway);
    expect([told.running, told.runs[0]]).toMatchObject([false, died]);
    expect(await linesOf(id)).toEqual([]);
    await purge(path.gateway);
    const { runs } = await retentionOf(path.gateway);
    expect(runs[1]).toMatchObject({ ...died, finished_at: expect.any(String) });
    expect(await linesOf(id)).toMatchObject([
      { actor_id: 'gateway', changes: expect.arrayContaining([{ field: 'purged', before: null, after: 5 }]) },
    ]);
  });

  it('runs on schedule, and writes no audit line when nothing was due', async () => {
    const ids = await store(1);
    await query('DELETE FROM retention_runs');
    const services = [path.gateway, other].map(({ app }) => app.get(RetentionService, { strict: false }));
    for (const service of [...services, ...services]) {
      await service.purgeIfDue();
      await isOver();
    }
    const { runs } = await retentionOf(path.gateway);
    expect(runs).toMatchObject([{ started_by: null, purged: 1, outcome: 'finished' }]);
    expect(await remains(ids)).toEqual(new Set(['gone']));
    expect(await linesOf((await purge(path.gateway)).id)).toEqual([]);
  });

  it('reports a run once, even if two gateways see its end', async () => {
    const runs = [path.gateway, other].map(({ app }) => app.get(RetentionRuns, { strict: false }));
    const [row] = await query<{ id: string; org_id: string }>(
      'INSERT INTO retention_runs (org_id, purged) SELECT id, 5 FROM organizations RETURNING id, org_id',
    );
    const run = { id: row!.id, orgId: row!.org_id } as RetentionRun;
    for (const book of runs) await book.end(run, { outcome: 'failed', error: null });
    expect(await linesOf(run.id)).toHaveLength(1);
  });

  it('is refused while a run is in progress', async () => {
    const [before] = await query<{ count: number }>('SELECT count(*)::int FROM retention_runs');
    await query("UPDATE retention_runs SET started_at = started_at - interval '1 year'");
    await purgedElsewhere(path.gateway, async () => {
      await path.gateway.app.get(RetentionService, { strict: false }).purgeIfDue();
      expect((await start(other)).status).toBe(409);
    });
    expect(await query('SELECT count(*)::int FROM retention_runs')).toEqual([before]);
  });

  it('stops when its gateway does, between two batches', async () => {
    const ids = await store(300);
    const third = await startGateway({ beside: path.gateway });
    const told = jest.spyOn(third.app.get(PurgeRunner, { strict: false }), 'stop');
    const letGo = await heldAtSecond('UPDATE OF recording_purged_at ON sessions');
    const { body } = await eventually('it begins', async () => {
      const answer = await start(third);
      return answer.status === 202 && answer;
    });
    await eventually('it is under way', async () => (await retentionOf(other)).purged > 0, 120_000);
    const closed = third.close();
    await eventually('it is told to stop', async () => told.mock.calls.length > 0);
    await letGo();
    await closed;
    const { running, runs } = await retentionOf(other);
    expect([running, runs[0]]).toEqual([false, expect.objectContaining({ id: body.id, outcome: 'stopped' })]);
    // Depending on timing, the second batch had begun before the stop, or not.
    expect([100, 200]).toContain(runs[0].purged);
    await expectNothingTorn(ids);
    await purge(other);
    expect(await remains(ids)).toEqual(new Set(['gone']));
  });
});
