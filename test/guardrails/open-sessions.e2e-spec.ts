import { Authenticator } from '../../src/gate/ports/authenticator';
import { Guardrails } from '../../src/gate/ports/guardrails';
import { type Target, TargetDirectory } from '../../src/gate/ports/target-directory';
import { describeDataPath } from '../support/describe';
import { SLOWEST, eventually } from '../support/eventually';
import { cutFeeds, keepFeedDown } from '../support/feed';
import { type TestGateway, startGateway } from '../support/gateway';
import { createRule, denyWords } from '../support/guardrails';

const AGREED_MS = 1_000 * SLOWEST;

/**
 * A rule change also applies to sessions that are already open: at once on the gateway that changed the rule,
 * within a second on other gateways.
 */
describeDataPath('guardrails of sessions that are open', ({ path, gateway: one, begin }) => {
  const two = begin(() => startGateway({ beside: one }));
  let count = 0;

  /** Opens a session on `gateway`. The session reads its target once, and the rules at each command. */
  const open = async (gateway: TestGateway, name: string) => {
    const credential = { bearer: await gateway.token('admin'), address: '127.0.0.1' };
    const principal = await gateway.app.get(Authenticator, { strict: false }).identify(credential);
    const target = await gateway.app.get(TargetDirectory, { strict: false }).find(principal, name);
    const rails = gateway.app.get(Guardrails, { strict: false });
    const ask = () => rails.for(target as Target);
    return { ask, judge: async (text: string) => (await (await ask()).judge(text)).kind };
  };

  /** Creates a connection, and a rule on it that forbids the word `old`. */
  const guarded = async () => {
    const name = `guarded-${++count}`;
    const connectionId = await path.connect(name);
    const ruleId = await createRule(one, {
      name,
      connection_ids: [connectionId],
      attributes: [`about-${name}`],
      input: denyWords(['old']),
    });
    return { name, ruleId, connectionId };
  };

  const sql = (text: string, values: unknown[] = []) => one.database.query(text, values);
  const forbid = (ruleId: string, word: string) =>
    sql(`UPDATE guardrail_rules SET input = $2 WHERE id = $1`, [ruleId, denyWords([word])]);

  it('are cached while nothing changes', async () => {
    const { name } = await guarded();
    const { ask } = await open(one, name);
    const set = await ask();
    expect(ask()).toBe(set);
  });

  // promises: GUARDRAIL-10
  it('apply at once on the gateway that changes them', async () => {
    const { name, ruleId } = await guarded();
    const { judge } = await open(one, name);
    expect(await judge('new')).toBe('pass');
    const change = { name, attributes: [`about-${name}`], input: denyWords(['new']) };
    expect((await one.call('admin', 'PUT', `/guardrails/${ruleId}`, change)).status).toBe(200);
    // The change has no `connection_ids`, so the rule no longer applies to the connection.
    expect(await judge('new')).toBe('pass');
    const patched = await one.call('admin', 'PATCH', `/connections/${name}`, {
      attributes: [`about-${name}`],
    });
    expect(patched.status).toBe(200);
    expect([await judge('old'), await judge('new')]).toEqual(['pass', 'block']);
    expect((await one.call('admin', 'DELETE', `/guardrails/${ruleId}`)).status).toBe(204);
    expect(await judge('new')).toBe('pass');
  });

  const changes: Record<string, (of: Awaited<ReturnType<typeof guarded>>) => Promise<unknown>> = {
    'is changed': ({ ruleId }) => forbid(ruleId, 'new'),
    'is made': ({ name, connectionId }) =>
      createRule(one, { name: `${name}-2`, connection_ids: [connectionId], input: denyWords(['new']) }),
    'is bound to it': async ({ name, connectionId }) => {
      const ruleId = await createRule(one, {
        name: `${name}-3`,
        input: denyWords(['new']),
        connection_ids: [],
      });
      await sql(
        `INSERT INTO guardrail_connections SELECT org_id, id, $2 FROM guardrail_rules WHERE id = $1`,
        [ruleId, connectionId],
      );
    },
    'has an attribute that its connection gets': async ({ name, connectionId }) => {
      await createRule(one, { name: `${name}-4`, attributes: [`late-${name}`], input: denyWords(['new']) });
      await sql('UPDATE connections SET attributes = $2 WHERE id = $1', [connectionId, [`late-${name}`]]);
    },
  };

  // promises: GUARDRAIL-10, HTTP-23
  it.each(Object.keys(changes))('hold within a second on another gateway when a rule %s', async (how) => {
    const made = await guarded();
    const { judge } = await open(two, made.name);
    expect([await judge('old'), await judge('new')]).toEqual(['block', 'pass']);
    await changes[how]!(made);
    await eventually('the new rule holds', async () => (await judge('new')) === 'block', AGREED_MS);
  });

  it.each([
    ['a rule goes', 'DELETE FROM guardrail_rules WHERE name = $1'],
    [
      'a binding goes',
      'DELETE FROM guardrail_connections WHERE rule_id = (SELECT id FROM guardrail_rules WHERE name = $1)',
    ],
  ])('end within a second on another gateway when %s', async (_, statement) => {
    const { name } = await guarded();
    const { judge } = await open(two, name);
    expect(await judge('old')).toBe('block');
    await sql(statement, [name]);
    await eventually('the rule is gone', async () => (await judge('old')) === 'pass', AGREED_MS);
  });

  it('are announced when all bindings are deleted at once', async () => {
    const { name } = await guarded();
    const { judge } = await open(two, name);
    expect(await judge('old')).toBe('block');
    await sql('TRUNCATE guardrail_connections');
    await eventually('the rule is gone', async () => (await judge('old')) === 'pass', AGREED_MS);
  });

  it('hold at the next command after the feed was cut, and at each while it is down', async () => {
    const { name, ruleId } = await guarded();
    const { judge } = await open(one, name);
    expect(await judge('old')).toBe('block');
    const release = await keepFeedDown(one);
    for (const word of ['first', 'second', 'third']) {
      expect(await judge(word)).toBe('pass');
      await forbid(ruleId, word);
      expect(await judge(word)).toBe('block');
    }
    await release();
    await cutFeeds(one);
    await forbid(ruleId, 'after the cut');
    await eventually('it is heard of', async () => (await judge('after the cut')) === 'block', AGREED_MS);
  });
});
