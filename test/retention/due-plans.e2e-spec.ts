import { FIND_DUE, LOCK_DUE } from '../../src/sessions/retention/purge-statements';
import { freshDatabase } from '../support/database';
import { describeScoped } from '../support/describe';
import { queryPlan, scansOf } from '../support/query-plan';

const OF_EACH = 10_000;
const DUE = 7;
const DELETED = '11111111-1111-4111-8111-111111111111';
const ALIVE = '22222222-2222-4222-8222-222222222222';

describeScoped(`what a run of retention reads, of ${3 * OF_EACH} recordings that are kept`, (begin) => {
  const database = begin(
    () => freshDatabase(),
    (it) => it.drop(),
  );
  let org: string;

  /** Stores `count` sessions that ended at least `endedDaysAgo` days ago. */
  const store = (connection: string, days: number | null, count: number, endedDaysAgo: number) =>
    database.query(
      `INSERT INTO sessions (org_id, status, verb, type, connection_id, connection_name, connection_subtype, identity_type,
         user_subject, user_email, user_name, start_date, end_date, retention_days)
       SELECT $1, 'done', 'exec', 'database', $2, 'orders', 'postgres', 'user', 'alice', '', '', at, at, $3
       FROM generate_series(1, $4::int) AS n, LATERAL (SELECT now() - $5 * interval '24 hours' - n * interval '1 s' AS at) AS ended`,
      [org, connection, days, count, endedDaysAgo],
    );

  beforeAll(async () => {
    const [row] = await database.query<{ id: string }>('SELECT id FROM organizations');
    org = row?.id ?? '';
    await database.query(`ALTER TABLE sessions DISABLE TRIGGER sessions_credential;
      ALTER TABLE sessions DISABLE TRIGGER sessions_ledger_begun`);
    await database.query(
      `INSERT INTO connections (org_id, id, name, type, subtype, secret, secret_names, retention_days)
       VALUES ($1, $2, 'orders', 'database', 'postgres', '', '{}', 90)`,
      [org, ALIVE],
    );
    await store(DELETED, null, OF_EACH, 300);
    await store(DELETED, 365, OF_EACH, 300);
    await store(DELETED, 30, DUE, 31);
    // The connection now keeps recordings longer than the 30 days that were set when these sessions ran.
    await store(ALIVE, 30, OF_EACH, 60);
    await store(ALIVE, 30, DUE, 91);
    await database.query('VACUUM ANALYZE sessions');
  });

  it('is what is due, also of a deleted connection', async () => {
    const due = await database.query(FIND_DUE, [org]);
    expect(due).toEqual([
      { id: ALIVE, days: 30, due: DUE, held: 0 },
      { id: DELETED, days: 30, due: DUE, held: 0 },
    ]);
    for (const [sql, values] of [
      [FIND_DUE, [org]],
      [LOCK_DUE, [org, DELETED, 30, 100]],
    ] as const) {
      const scans = scansOf(await queryPlan(database, sql, [...values])).filter(({ kind }) =>
        kind.endsWith(' on sessions'),
      );
      expect(scans.filter(({ kind }) => !kind.startsWith('Index'))).toEqual([]);
      expect(Math.max(...scans.map(({ rows }) => rows))).toBeLessThanOrEqual(4 * DUE);
    }
  });
});
