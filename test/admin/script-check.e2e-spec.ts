import { describeDataPath } from '../support/describe';
import { eventually } from '../support/eventually';
import type { Person } from '../support/gateway';
import { createRule, denyWords } from '../support/guardrails';

describeDataPath('a checked script', ({ path }) => {
  beforeAll(async () => {
    const entry = denyWords(['secret_plan', 'drop table']).rules[0];
    const input = { rules: [{ ...entry, message: 'Ask the owners first.' }] };
    await createRule(path.gateway, { name: 'careful', input, connection_ids: [path.connectionId] });
    await createRule(path.gateway, { name: 'elsewhere', input: denyWords(['select']) });
  });

  const check = (person: Person, script: unknown, connection = 'orders') =>
    path.gateway.call(person, 'POST', `/connections/${connection}/script-check`, { script });
  const audited = async (requestId: string) =>
    (await path.gateway.call('admin', 'GET', `/audit/logs?request_id=${requestId}`)).body;

  // promises: GUARDRAIL-23
  it('is judged as when it runs, in the words that its author would read', async () => {
    const script = 'SELECT * FROM secret_plan; DROP TABLE customers';
    const run = await path.run(script, {}, 'alice');
    expect(run.body.output).toContain('Ask the owners first.');
    const checked = await check('alice', script);
    expect([checked.status, checked.body]).toEqual([
      200,
      { verdict: 'block', findings: [{ message: 'Ask the owners first.' }] },
    ]);
    expect((await check('alice', 'SELECT 1')).body).toEqual({ verdict: 'pass', findings: [] });
  });

  it('shows admins which entry found what, where', async () => {
    const { body } = await check('admin', 'SELECT 1; DROP TABLE customers');
    expect(body).toEqual({
      verdict: 'block',
      findings: [{ message: 'Ask the owners first.', rule_name: 'careful', entry: 0, start: 10, end: 20 }],
    });
  });

  it('runs nowhere, is no session, and counts for no rule; the audit log has that it was checked', async () => {
    const sessions = async () => (await path.gateway.call('admin', 'GET', '/sessions')).body.total;
    const before = await sessions();
    const checked = await check('alice', 'DROP TABLE customers');
    const id = checked.headers.get('x-request-id');
    expect(await sessions()).toBe(before);
    const customers = await path.target.query('SELECT count(*)::int AS n FROM customers');
    expect(customers).toEqual([{ n: expect.any(Number) }]);
    const lines = await eventually('the line', async () => {
      const { data } = await audited(id ?? '');
      return data.length > 0 && data;
    });
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({ resource_id: 'orders', outcome: 'success', actor: { id: 'alice' } });
    expect(JSON.stringify(lines)).not.toContain('customers');
  });

  it('is for those who may open the connection', async () => {
    expect((await check('auditor', 'SELECT 1')).status).toBe(403);
    expect((await check('alice', 'SELECT 1', 'no-such')).status).toBe(404);
    const closed = { access_mode_exec: 'disabled' };
    await path.gateway.call('admin', 'PATCH', '/connections/orders', closed);
    expect((await check('alice', 'SELECT 1')).status).toBe(403);
    await path.gateway.call('admin', 'PATCH', '/connections/orders', { access_mode_exec: 'enabled' });
    expect((await check('alice', 7)).status).toBe(400);
    expect((await check('alice', 'a\0b')).status).toBe(422);
  });
});
