import { randomUUID } from 'node:crypto';
import { migrate } from '../../src/platform/database/schema/migrate';
import { SessionList1764100000000 } from '../../src/platform/database/migrations/1764100000000-session-list';
import { type TestDatabase, freshDatabase } from '../support/database';
import { undoDownTo } from '../support/undo-migrations';

/** Tests that the list of sessions also contains sessions recorded before the list existed. */
describe('the migration to the list of sessions', () => {
  const [session, review, rule] = [randomUUID(), randomUUID(), randomUUID()];
  let database: TestDatabase;

  beforeAll(async () => {
    database = await freshDatabase();
    await undoDownTo(database, SessionList1764100000000);
    const org = '(SELECT id FROM organizations)';
    await database.query(`
      INSERT INTO guardrail_rules (id, org_id, name, input, output)
        VALUES ('${rule}', ${org}, 'no-drops', '{"rules": []}', '{"rules": []}');
      INSERT INTO sessions (id, org_id, status, verb, type, connection_id, connection_name, connection_subtype,
          identity_type, user_subject, user_email, user_name, start_date, end_date, guardrails_info)
        VALUES ('${session}', ${org}, 'done', 'exec', 'database', '${rule}', 'orders', 'postgres', 'user', 'alice', '',
          '', '2026-01-01T00:00:00.123456Z', now(), '[{"rule_name": "no-drops"}, {"rule_name": "deleted-since"}]');
      INSERT INTO reviews (id, org_id, session_id, type, status, access_request_rule_name, min_approvals, input_hash,
          expires_at)
        VALUES ('${review}', ${org}, '${session}', 'onetime', 'APPROVED', 'prod', 1, '', now());
      INSERT INTO review_groups (org_id, review_id, group_name, status, reviewed_by)
        VALUES (${org}, '${review}', 'dba', 'APPROVED', '{"id": "bob", "email": "bob@example.com"}'),
          (${org}, '${review}', 'security', 'REJECTED', '{"id": "eve", "email": "eve@example.com"}');
    `);
    await migrate(database.url);
  });

  afterAll(() => database.drop());

  it('gives reviews and what groups said the place of their session', async () => {
    const start = `to_char(session_start AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.US') AS start`;
    const at = '2026-01-01 00:00:00.123456';
    expect(await database.query(`SELECT ${start} FROM reviews`)).toEqual([{ start: at }]);
    const said = `SELECT session_id, ${start}, approver_id, approver_email FROM review_groups ORDER BY group_name`;
    expect(await database.query(said)).toEqual([
      { session_id: session, start: at, approver_id: 'bob', approver_email: 'bob@example.com' },
      { session_id: session, start: at, approver_id: null, approver_email: null },
    ]);
  });

  it('lists hits by the name the rule had, and by its id where the rule is still there', async () => {
    const hits = await database.query<{ rule: string }>('SELECT rule FROM session_guardrail_hits');
    expect(hits.map((hit) => hit.rule).sort()).toEqual([rule, 'deleted-since', 'no-drops'].sort());
  });
});
