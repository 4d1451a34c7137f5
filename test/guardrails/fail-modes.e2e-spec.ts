import { setTimeout as delay } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import type { Piscina } from 'piscina';
import { AnalysisPool } from '../../src/guardrails/analysis/analysis-pool';
import { GuardrailEngine } from '../../src/guardrails/engine/guardrail-engine';
import { StreamScreen } from '../../src/guardrails/engine/stream-screen';
import { describeDataPath } from '../support/describe';
import { createRule, denyPattern, denyWords } from '../support/guardrails';
import { closedLatch } from '../support/latch';

/**
 * Tries each failure of the engine with each kind of rule. The script of each case inserts a row into the
 * target, so that the row proves that the script ran without being judged.
 */
describeDataPath('guardrails that fail', ({ path }) => {
  let count = 0;

  beforeAll(async () => {
    Logger.overrideLogger(false);
    await path.target.query('CREATE TABLE ran (id int)');
  });

  afterEach(() => jest.restoreAllMocks());

  const statement = (more: object) => ({
    rules: [{ type: 'sql_statement', words: [], pattern_regex: '', ...more }],
  });
  const guards = {
    'a word': { input: denyWords(['never said']) },
    'a pattern': { input: denyPattern('never said') },
    'a statement rule': { input: statement({ kinds: ['drop'] }) },
    'a lax statement rule': { input: statement({ kinds: ['drop'], unparseable: 'allow' }) },
  };
  type Guard = keyof typeof guards;
  const GUARDS = Object.keys(guards) as Guard[];

  const guarded = async (rules: object) => {
    const connection = `failing-${++count}`;
    const ruleId = await createRule(path.gateway, {
      name: connection,
      connection_ids: [await path.connect(connection)],
      ...rules,
    });
    return { ruleId, run: (script: string) => path.run(script, { connection }) };
  };

  const ids = () => path.target.query<{ id: number }>('SELECT id FROM ran ORDER BY id');
  const insert = (id: number, more = '') => `INSERT INTO ran VALUES (${id})${more}`;
  const unguarded = async (id: number) => (await ids()).filter((row) => row.id === id);

  const breakages: Record<string, () => void> = {
    'the engine throws': () => {
      jest.spyOn(GuardrailEngine.prototype, 'judge').mockRejectedValue(new Error('engine'));
    },
    'the engine throws while it looks': () => {
      jest.spyOn(GuardrailEngine.prototype, 'inspect').mockRejectedValue(new Error('engine'));
    },
    'the thread dies': () => {
      jest.spyOn(AnalysisPool.prototype, 'run').mockRejectedValue(new Error('the thread died'));
    },
  };
  const cells = Object.keys(breakages).flatMap((how) => GUARDS.map((guard) => [how, guard] as const));

  // promises: GUARDRAIL-14
  it.each(cells)('run nothing when %s, under %s', async (how, guard) => {
    const { run } = await guarded(guards[guard]);
    const id = ++count;
    breakages[how]!();
    // The script is long enough that words, patterns and statements are all judged in a thread.
    const answer = await run(insert(id, `; SELECT 1 WHERE false${' '.repeat(140_000)}`));
    expect(answer.status).toBe(500);
    expect(await unguarded(id)).toEqual([]);
  });

  // promises: GUARDRAIL-14
  it.each(GUARDS)('run nothing when rules cannot be loaded, under %s', async (guard) => {
    const { run } = await guarded(guards[guard]);
    const id = ++count;
    await path.gateway.database.query('ALTER TABLE guardrail_rules RENAME TO elsewhere');
    const answer = await run(insert(id));
    await path.gateway.database.query('ALTER TABLE elsewhere RENAME TO guardrail_rules');
    expect(answer.status).toBe(500);
    expect(await unguarded(id)).toEqual([]);
  });

  it.each(GUARDS)('run nothing when the type of an entry is unknown, beside %s', async (guard) => {
    const { run, ruleId } = await guarded(guards[guard]);
    const id = ++count;
    await path.gateway.database.query(
      `UPDATE guardrail_rules SET input = jsonb_set(input, '{rules,1}', '{"type":"x","words":[],"pattern_regex":""}')
       WHERE id = $1`,
      [ruleId],
    );
    expect((await run(insert(id))).status).toBe(500);
    expect(await unguarded(id)).toEqual([]);
  });

  it('run nothing when a real thread is killed while it parses', async () => {
    const { run } = await guarded(guards['a lax statement rule']);
    const id = ++count;
    const statements = (count: number): string =>
      Array.from({ length: count }, (_, i) => `SELECT ${i} WHERE false;`).join('');
    const answer = run(statements(40_000) + insert(id));
    const pool = () => path.gateway.app.get<{ pool?: Piscina }>(AnalysisPool).pool;
    // Polls often, because the thread works for little more than half a second.
    while (pool()?.threads.length !== 1) await delay(5);
    await delay(100);
    await Promise.all(pool()?.threads.map((thread) => thread.terminate()) ?? []);
    expect((await answer).status).toBe(500);
    expect(await unguarded(id)).toEqual([]);
    // The next script gets a new thread, and is judged.
    expect((await run(`${statements(5_000)} DROP TABLE ran`)).body.output_status).toBe('blocked');
    expect((await run(insert(id))).body.output_status).toBe('success');
    expect(await unguarded(id)).toHaveLength(1);
  });

  it('keep to the rules of the command when a rule is deleted while its output comes', async () => {
    const { run, ruleId } = await guarded({ output: denyWords(['canary']) });
    const latch = await closedLatch(path.target);
    const answer = run(`SELECT 'rule-goes', ${latch.wait}; SELECT repeat('x', 30000); SELECT 'canary'`);
    await path.untilRunning(/rule-goes/);
    await path.gateway.database.query('DELETE FROM guardrail_rules WHERE id = $1', [ruleId]);
    await latch.open();
    expect((await answer).body).toMatchObject({ output_status: 'blocked' });
    expect((await answer).body.output).not.toContain('canary');
    expect((await run("SELECT 'canary'")).body).toMatchObject({ output_status: 'success' });
  });

  it('deliver nothing more when the screen throws', async () => {
    const { run } = await guarded({ output: denyWords(['never said']) });
    jest.spyOn(StreamScreen.prototype, 'finish').mockRejectedValue(new Error('screen'));
    const answer = await run("SELECT 'canary'");
    expect(answer.body).toMatchObject({ output_status: 'blocked', exit_code: 254 });
    expect(answer.text).not.toContain('canary');
  });

  it('mean by no rules that nothing is forbidden, and by rules that are gone that they are', async () => {
    const { run, ruleId } = await guarded({ input: denyWords(['INSERT']) });
    const id = ++count;
    expect((await run(insert(id))).body.output_status).toBe('blocked');
    await path.gateway.call('admin', 'DELETE', `/guardrails/${ruleId}`);
    expect((await run(insert(id))).body.output_status).toBe('success');
    expect(await unguarded(id)).toHaveLength(1);
  });
});
