import { auditLineOf } from '../support/audit';
import { eventually } from '../support/eventually';
import { describeGateway } from '../support/describe';
import { type TestGateway, startGateway } from '../support/gateway';
import { denyWords, postRule } from '../support/guardrails';

const LISTS = [
  { path: '/users', table: 'users', key: 'user_id' },
  { path: '/guardrails', table: 'guardrail_rules', key: 'id' },
  { path: '/access-requests/rules', table: 'access_request_rules', key: 'id' },
  { path: '/connections', table: 'connections', key: 'id' },
  { path: '/api-keys', table: 'api_keys', key: 'id' },
  { path: '/scim-tokens', table: 'scim_tokens', key: 'id' },
];

/** Long lists: every page matches a plain ORDER BY. The total is right at once, on every gateway. */
describeGateway('a long list', ({ gateway, begin }) => {
  const beside = begin(() => startGateway({ beside: gateway }));

  beforeAll(async () => {
    await gateway.call('admin', 'GET', '/userinfo');
    const org = '(SELECT id FROM organizations)';
    // Some rows have the same creation time, so that their ids decide the order.
    const at = `now() - (n / 3) * interval '1 s' FROM generate_series(1, 37) AS n`;
    await gateway.database.query(`
      INSERT INTO users (org_id, subject, email, name, created_at)
        SELECT ${org}, 'u' || n, 'u' || n || '@example.com', 'u' || n, ${at};
      INSERT INTO guardrail_rules (org_id, name, input, output, created_at)
        SELECT ${org}, 'r' || n, '{"rules": []}', '{"rules": []}', ${at};
      INSERT INTO access_request_rules (org_id, name, access_type, reviewers_groups, attributes, created_at)
        SELECT ${org}, 'rule' || n, 'command', '{dba}', '{pii}', ${at};
      INSERT INTO connections (org_id, name, type, subtype, secret, secret_names, created_at)
        SELECT ${org}, 'c' || n, 'database', 'postgres', '', '{}', ${at};
      INSERT INTO api_keys (org_id, name, prefix, key_hash, created_by, created_at)
        SELECT ${org}, 'k' || n, 'gwk_', sha256(n::text::bytea), 'admin', ${at};
      INSERT INTO scim_tokens (org_id, name, prefix, token_hash, created_by, expires_at, created_at)
        SELECT ${org}, 't' || n, 'gws_', sha256(n::text::bytea), 'admin', now() + interval '1 day', ${at};
    `);
  });

  const list = async (path: string, at = gateway) => (await at.call('admin', 'GET', path)).body;

  // promises: HTTP-12
  it.each(LISTS)('$path: pages from either end are one list', async ({ path, table, key }) => {
    const rows = await gateway.database.query<{ id: string }>(
      `SELECT id FROM ${table} ORDER BY created_at DESC, id DESC`,
    );
    const ids = rows.map(({ id }) => id);
    for (const size of [1, 5, 7, 20, 36, 1000]) {
      const seen: string[] = [];
      for (let page = 1; page <= Math.ceil(ids.length / size); page++) {
        const { data, pages } = await list(`${path}?page=${page}&page_size=${size}`);
        expect(pages).toEqual({ page, size, total: ids.length });
        expect(data.length).toBe(Math.min(size, ids.length - (page - 1) * size));
        seen.push(...(data as Record<string, string>[]).map((row) => row[key] ?? ''));
      }
      expect(seen).toEqual(ids);
    }
    expect((await list(`${path}?page=1000&page_size=5`)).data).toEqual([]);
  });

  it('has the total of filtered rows', async () => {
    const found = await list('/users?search=u3&page_size=3&page=2');
    expect(found.pages.total).toBe(9);
    expect(found.data).toHaveLength(3);
    expect((await list('/connections?search=c3&page_size=2&page=5')).pages.total).toBe(9);
    expect((await list('/connections?search=c3&page_size=2&page=5')).data).toHaveLength(1);
  });

  it('has the total after each write, at once and on every gateway', async () => {
    const total = async (at: TestGateway): Promise<number> => (await list('/guardrails', at)).pages.total;
    const before = await total(gateway);
    const created = await postRule(gateway, { name: 'one-more', input: denyWords(['x']) });
    expect([await total(gateway), await total(beside)]).toEqual([before + 1, before + 1]);
    const refused = await postRule(gateway, { name: 'one-more' });
    expect(refused.status).toBe(409);
    // Waits for the audit line: it is written after the answer, and would disturb a test of the audit log.
    await auditLineOf(gateway, refused);
    expect([await total(gateway), await total(beside)]).toEqual([before + 1, before + 1]);
    await beside.call('admin', 'DELETE', `/guardrails/${created.body.id}`);
    expect([await total(gateway), await total(beside)]).toEqual([before, before]);
  });

  it('has the total after direct writes and concurrent ones', async () => {
    await gateway.database.query(`DELETE FROM connections WHERE name LIKE 'c1%'`);
    expect((await list('/connections')).pages.total).toBe(37 - 11);
    await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        (n % 2 === 0 ? gateway : beside).call('admin', 'POST', '/api-keys', { name: `at-once-${n}` }),
      ),
    );
    const [row] = await gateway.database.query<{ count: number }>('SELECT count(*)::int FROM api_keys');
    expect((await list('/api-keys')).pages.total).toBe(row?.count);
    // A concurrent transaction may lock several of the tables in another order. PostgreSQL then aborts one of
    // the two transactions.
    await eventually('the tables are emptied', () =>
      gateway.database.query('TRUNCATE connections CASCADE').then(
        () => true,
        (fault: Error) => {
          if (!/deadlock detected/.test(fault.message)) throw fault;
          return false;
        },
      ),
    );
    expect(await list('/connections')).toEqual({ data: [], pages: { page: 1, size: 1000, total: 0 } });
  });

  it('numbers the audit log from both ends', async () => {
    const { total } = (await list('/audit/logs?page_size=1')).pages;
    const whole = await list('/audit/logs');
    expect(whole.data).toHaveLength(total);
    const size = 4;
    const seen: unknown[] = [];
    for (let page = 1; page <= Math.ceil(total / size); page++) {
      seen.push(...(await list(`/audit/logs?page_size=${size}&page=${page}`)).data);
    }
    expect(seen).toEqual(whole.data);
    const filtered = await list('/audit/logs?resource_type=api-keys&page_size=3');
    expect(filtered.pages.total).toBe(20);
    expect(filtered.data).toHaveLength(3);
  });
});
