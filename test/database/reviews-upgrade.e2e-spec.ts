import { randomUUID } from 'node:crypto';
import { outcome } from '../../src/approvals/reviews/machine/outcome';
import { migrate } from '../../src/platform/database/schema/migrate';
import { Reviews1764900000000 } from '../../src/platform/database/migrations/1764900000000-reviews';
import type { ApprovalRule } from '../../src/gate/ports/access-decider';
import { type TestDatabase, freshDatabase } from '../support/database';
import { undoDownTo } from '../support/undo-migrations';

/** Reviews that the previous version stored can be decided by this version. */
describe('the migration to reviews that people decide', () => {
  const asked = { two: randomUUID(), none: randomUUID(), machine: randomUUID() };
  const [alice, key] = [randomUUID(), randomUUID()];
  let database: TestDatabase;

  beforeAll(async () => {
    database = await freshDatabase();
    await undoDownTo(database, Reviews1764900000000);
    const org = '(SELECT id FROM organizations)';
    const review = (id: string, type: string, subject: string, minApprovals: number): string => `
      INSERT INTO sessions (id, org_id, status, verb, type, connection_id, connection_name, connection_subtype,
          identity_type, user_subject, user_email, user_name)
        VALUES ('${id}', ${org}, 'open', 'exec', 'database', '${id}', 'orders', 'postgres', '${type}', '${subject}',
          'asked@example.com', 'Asked');
      INSERT INTO reviews (id, org_id, session_id, type, status, access_request_rule_name, min_approvals,
          force_approval_groups, input_hash, expires_at)
        VALUES ('${id}', ${org}, '${id}', 'onetime', 'PENDING', 'prod', ${minApprovals}, '{security}', 'x', now());
      INSERT INTO review_groups (org_id, review_id, group_name) VALUES (${org}, '${id}', 'dba'), (${org}, '${id}', 'sre');`;
    await database.query(`
      INSERT INTO users (id, org_id, subject, email, name) VALUES ('${alice}', ${org}, 'alice', '', '');
      INSERT INTO api_keys (id, org_id, name, prefix, key_hash, groups, created_by)
        VALUES ('${key}', ${org}, 'robot', 'gwk_', 'x', '{}', 'admin');
      ${review(asked.two, 'user', 'alice', 2)}
      ${review(asked.none, 'user', 'who-is-gone', 0)}
      ${review(asked.machine, 'machine', `api-key:${key}`, 1)}`);
    await migrate(database.url);
  });

  afterAll(() => database.drop());

  const row = async (id: string) => {
    const [found] = await database.query<Record<string, unknown> & { rules: ApprovalRule[] }>(
      'SELECT * FROM reviews WHERE id = $1',
      [id],
    );
    if (found === undefined) throw new Error('the review is gone');
    return found;
  };

  it('knows who asked, for what', async () => {
    expect(await row(asked.two)).toMatchObject({
      connection_id: asked.two,
      connection_name: 'orders',
      connection_subtype: 'postgres',
      requester_id: alice,
      requester_type: 'user',
      requester_subject: 'alice',
      requester_email: 'asked@example.com',
      person_behind: 'alice',
    });
    expect(await row(asked.none)).toMatchObject({ requester_id: null, person_behind: 'who-is-gone' });
    expect(await row(asked.machine)).toMatchObject({
      requester_id: key,
      requester_type: 'machine',
      person_behind: 'admin',
    });
    expect(await database.query(`SELECT total FROM row_totals WHERE table_name = 'reviews'`)).toEqual([
      { total: '3' },
    ]);
  });

  it('asks the groups that were asked, and lets those force it that could', async () => {
    const { rules } = await row(asked.two);
    const vote = (person: string, group: string, forced = false) =>
      ({ person, verdict: 'APPROVED', groups: [group], forced }) as const;
    expect(outcome(rules, [vote('ann', 'dba')])).toBe('PENDING');
    expect(outcome(rules, [vote('ann', 'dba'), vote('ben', 'sales')])).toBe('PENDING');
    expect(outcome(rules, [vote('ann', 'dba'), vote('ben', 'sre')])).toBe('APPROVED');
    expect(outcome(rules, [vote('ann', 'security', true)])).toBe('APPROVED');
    // Nobody meant a minimum of 0 approvals, so a review with this minimum stays pending.
    const none = (await row(asked.none)).rules;
    expect(outcome(none, [vote('ann', 'dba'), vote('ben', 'sre')])).toBe('PENDING');
  });
});
