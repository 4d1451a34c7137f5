import { randomUUID } from 'node:crypto';
import { describeDataPath } from '../support/describe';
import { startGateway } from '../support/gateway';
import { createRule, denyWords } from '../support/guardrails';

describeDataPath('the counters of a guardrail', ({ path }) => {
  const stats = async (id: string, gateway = path.gateway) =>
    (await gateway.call('auditor', 'GET', `/guardrails/${id}/stats`)).body;

  // promises: GUARDRAIL-19
  it('count checks and hits', async () => {
    const connection_ids = [await path.connect('counted')];
    const rule = await createRule(path.gateway, {
      name: 'counted',
      connection_ids,
      input: denyWords(['drop']),
    });
    const other = await createRule(path.gateway, {
      name: 'beside',
      connection_ids,
      input: denyWords(['grant']),
    });
    const elsewhere = await createRule(path.gateway, { name: 'elsewhere', input: denyWords(['drop']) });
    expect(await stats(rule)).toEqual({ id: rule, checked: 0, hit: 0, last_hit: null });
    const before = Date.now();
    for (const script of ['SELECT 1', 'SELECT 1', 'drop table x', 'drop table x', 'DROP TABLE y']) {
      await path.run(script, { connection: 'counted' });
    }
    const counted = await stats(rule);
    expect(counted).toEqual({ id: rule, checked: 5, hit: 3, last_hit: expect.any(String) });
    expect(Date.parse(counted.last_hit)).toBeGreaterThanOrEqual(before);
    expect(await stats(other)).toEqual({ id: other, checked: 5, hit: 0, last_hit: null });
    expect(await stats(elsewhere)).toMatchObject({ checked: 0, hit: 0 });
  });

  // promises: GUARDRAIL-19
  it('add up over gateways, and survive a restart of one', async () => {
    const rule = await createRule(path.gateway, {
      name: 'shared',
      connection_ids: [await path.connect('shared')],
      input: denyWords(['drop']),
    });
    const beside = await startGateway({ beside: path.gateway });
    await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        (i % 2 === 0 ? path.gateway : beside).call('admin', 'POST', '/sessions', {
          connection: 'shared',
          script: i < 10 ? 'drop table x' : 'SELECT 1',
        }),
      ),
    );
    // A gateway writes its counts before it stops.
    await beside.app.close();
    expect(await stats(rule)).toMatchObject({ checked: 20, hit: 10 });
  });

  it('go with their rule, and count no more after it', async () => {
    const rule = await createRule(path.gateway, {
      name: 'short-lived',
      connection_ids: [await path.connect('short-lived')],
      input: denyWords(['drop']),
    });
    await path.run('drop', { connection: 'short-lived' });
    await path.gateway.database.query('DELETE FROM guardrail_rules WHERE id = $1', [rule]);
    expect((await path.gateway.call('auditor', 'GET', `/guardrails/${rule}/stats`)).status).toBe(404);
    expect(
      await path.gateway.database.query('SELECT 1 FROM guardrail_stats WHERE rule_id = $1', [rule]),
    ).toEqual([]);
  });

  it('are kept while the database is unreachable', async () => {
    const rule = await createRule(path.gateway, {
      name: 'kept',
      connection_ids: [await path.connect('kept')],
      input: denyWords(['drop']),
    });
    await path.gateway.database.query('ALTER TABLE guardrail_stats RENAME TO elsewhere');
    await path.run('drop', { connection: 'kept' });
    // The request first adds the counts in memory to the table, which fails.
    expect((await path.gateway.call('auditor', 'GET', `/guardrails/${rule}/stats`)).status).toBe(500);
    await path.gateway.database.query('ALTER TABLE elsewhere RENAME TO guardrail_stats');
    expect(await stats(rule)).toMatchObject({ checked: 1, hit: 1 });
  });

  it.each([
    ['a malformed id', 'counted', 400],
    ['an unknown id', randomUUID(), 404],
  ])('are not told of %s', async (_, id, status) => {
    expect((await path.gateway.call('auditor', 'GET', `/guardrails/${id}/stats`)).status).toBe(status);
  });
});
