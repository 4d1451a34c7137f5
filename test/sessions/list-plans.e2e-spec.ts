import { randomUUID } from 'node:crypto';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../src/platform/database/pools/data-source-options';
import type { Principal } from '../../src/kernel/principal';
import { sessionListing } from '../../src/sessions/search/session-list-query';
import { SessionSearch } from '../../src/sessions/search/session-search';
import { type TestDatabase, freshDatabase } from '../support/database';
import { volume } from '../support/volume';
import { type PlanNode, queryPlan, scansOf } from '../support/query-plan';

const SESSIONS = volume(20_000, 100_000);
const GRANTS = 400;

/**
 * Query plans for a page of GET /sessions among very many sessions. A quarter of the sessions were opened
 * under a grant.
 */
describe(`a page of the list of sessions, of ${SESSIONS}`, () => {
  let database: TestDatabase;
  let dataSource: DataSource;
  let orgId: string;

  beforeAll(async () => {
    database = await freshDatabase();
    const [org] = await database.query<{ id: string }>('SELECT id FROM organizations');
    orgId = org?.id ?? '';
    await store();
    dataSource = await new DataSource(dataSourceOptions(database.url, 2)).initialize();
  }, 120_000);

  afterAll(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  /**
   * Stores grants, each approved by one of ten people for one of five groups. Their sessions are spread over
   * a year, among other sessions.
   */
  async function store(): Promise<void> {
    const grants = Array.from({ length: GRANTS }, () => randomUUID());
    await database.query(
      `INSERT INTO reviews (id, org_id, type, status, access_request_rule_name, min_approvals, expires_at)
       SELECT id, $1, 'jit', 'APPROVED', 'prod', 1, now() + interval '1 day' FROM unnest($2::uuid[]) AS id`,
      [orgId, grants],
    );
    await database.query(
      `INSERT INTO review_groups (org_id, review_id, group_name, status, approver_id, approver_email)
       SELECT $1, id, 'group-' || n % 5, 'APPROVED', 'p' || n % 10, 'p' || n % 10 || '@x'
       FROM unnest($2::uuid[]) WITH ORDINALITY AS grants (id, n)`,
      [orgId, grants],
    );
    await database.query(`ALTER TABLE sessions DISABLE TRIGGER sessions_credential;
      ALTER TABLE sessions DISABLE TRIGGER sessions_ledger_begun`);
    await database.query(
      `INSERT INTO sessions (org_id, status, verb, type, connection_id, connection_name, connection_subtype, identity_type,
         user_subject, user_email, user_name, start_date, end_date, credential_id)
       SELECT $1, 'done', 'connect', 'database', gen_random_uuid(), 'c' || n % 50, 'postgres', 'user', 'u' || n % 1000,
         '', '', now() - n * interval '${volume(25, 5)} min', now(),
         CASE n % 4 WHEN 0 THEN ($2::uuid[])[1 + n / 4 % ${GRANTS}] END
       FROM generate_series(1, ${SESSIONS}) AS n`,
      [orgId, grants],
    );
    // The first four grants stay approved. One in a hundred of the others was revoked, and the rest expired.
    await database.query(
      `UPDATE reviews SET status = CASE WHEN n % 100 = 0 THEN 'REVOKED' ELSE 'EXPIRED' END
       FROM unnest($1::uuid[]) WITH ORDINALITY AS grants (id, n) WHERE reviews.id = grants.id AND n > 4`,
      [grants],
    );
    await database.query('ANALYZE');
  }

  const caller = (role: Principal['role'], groups: string[] = []): Principal => ({
    orgId,
    userId: randomUUID(),
    subject: 'u7',
    email: '',
    name: '',
    groups,
    role,
    identityType: 'user',
  });

  async function planOf(actor: Principal, query: object): Promise<{ found: number; nodes: PlanNode[] }> {
    const search = new SessionSearch(actor, sessionListing({ ...query }));
    const [sql, values] = dataSource.driver.escapeQueryWithParameters(search.page(0, 21), search.parameters);
    const nodes = await queryPlan(database, sql, values);
    return { found: nodes[0]?.['Actual Rows'] ?? 0, nodes };
  }

  it.each([
    ['a reviewer', 'regular', ['group-1', 'group-3'], {}],
    ['an admin', 'admin', [], {}],
    ['an admin, of what holds', 'admin', [], { 'review.status': 'APPROVED' }],
    ['an admin, of what is over', 'admin', [], { 'review.status': 'EXPIRED' }],
    ['an admin, of what was taken back', 'admin', [], { 'review.status': 'REVOKED' }],
    ['an admin, by who approved', 'admin', [], { 'review.approver': 'p3' }],
    ['an admin, by the e-mail of who approved', 'admin', [], { 'review.approver': 'p3@x' }],
  ] as const)('is read off indexes for %s', async (_, role, groups, query) => {
    const { found, nodes } = await planOf(caller(role, [...groups]), query);
    expect(found).toBe(21);
    const scans = scansOf(nodes);
    expect(scans.filter(({ kind }) => !/^Index( Only)? Scan on /.test(kind))).toEqual([]);
    // Each condition needs about a page of 20 rows, so no scan may read many rows.
    expect(Math.max(...scans.map(({ rows }) => rows))).toBeLessThan(1_000);
  });
});
