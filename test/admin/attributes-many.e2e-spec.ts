import { describeGateway } from '../support/describe';

const COUNT = 1_000;
const BORNE = 100;

/** The largest page, in an organization where every object has a hundred attributes. */
describeGateway('a thousand attributes', ({ gateway }) => {
  beforeAll(async () => {
    await gateway.call('admin', 'GET', '/attributes');
    const org = '(SELECT id FROM organizations)';
    const names = `(SELECT array_agg('borne' || a) FROM generate_series(1, ${BORNE}) AS a)`;
    const series = `generate_series(1, ${COUNT}) AS n`;
    await gateway.database.query(
      `INSERT INTO attributes (org_id, name, created_at)
       SELECT ${org}, CASE WHEN n <= ${BORNE} THEN 'borne' ELSE 'idle' END || n, now() - n * interval '1 second' FROM ${series}`,
    );
    await gateway.database.query(
      `INSERT INTO connections (org_id, name, type, subtype, secret, secret_names, attributes)
       SELECT ${org}, 'c' || lpad(n::text, 4, '0'), 'database', 'postgres', '', '{}', ${names} FROM ${series}`,
    );
    await gateway.database.query(
      `INSERT INTO guardrail_rules (org_id, name, input, output, attributes)
       SELECT ${org}, 'g' || n, '{"rules": []}', '{"rules": []}', ${names} FROM ${series}`,
    );
    await gateway.database.query(
      `INSERT INTO access_request_rules (org_id, name, access_type, reviewers_groups, attributes)
       SELECT ${org}, 'r' || n, 'command', ARRAY['admin'], ${names} FROM ${series}`,
    );
  });

  it('are listed in one page, each with everything that has it', async () => {
    const { status, body } = await gateway.call('admin', 'GET', `/attributes?page_size=${COUNT}`);
    expect(status).toBe(200);
    expect(body.data).toHaveLength(COUNT);
    const connections = Array.from({ length: COUNT }, (_, n) => `c${String(n + 1).padStart(4, '0')}`);
    for (const { name, connection_names, guardrail_names, access_rule_names } of body.data) {
      if (name.startsWith('idle')) {
        expect([connection_names, guardrail_names, access_rule_names]).toEqual([[], [], []]);
        continue;
      }
      expect(connection_names.length === COUNT && connection_names.join() === connections.join()).toBe(true);
      expect([guardrail_names.length, access_rule_names.length]).toEqual([COUNT, COUNT]);
    }
  });

  it('are read one by one as in the list', async () => {
    for (const name of ['borne7', 'idle777']) {
      const { body } = await gateway.call('admin', 'GET', `/attributes/${name}`);
      expect(body.connection_names).toHaveLength(name === 'borne7' ? COUNT : 0);
    }
  });
});
