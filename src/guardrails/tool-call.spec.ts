import * as fc from '../../test/support/fast-check';
import { disguisesOf, numbersOf } from '../../test/support/json/disguises';
import { hereInstead, pattern, statement, words } from '../../test/support/rule-entries';
import { IS_LONG, someOf, volume } from '../../test/support/volume';
import type { Verdict } from '../gate/ports/guardrails';
import { type Json, readJson } from '../kernel/json/json';
import { loadSqlParser } from '../languages/postgresql/parser';
import { postgresql } from '../languages/postgresql';
import { judgedCall } from '../languages/tool-call/judged-call';
import { toolCall } from '../languages/tool-call';
import { GuardrailEngine } from './engine/guardrail-engine';
import type { RuleEntry } from './entries/rule-entry';

const engineOf = (entries: RuleEntry[], language = toolCall): GuardrailEngine =>
  new GuardrailEngine(
    [{ id: '1', name: 'r', input: { rules: entries }, output: { rules: [] } }],
    language,
    hereInstead,
  );

/** Judges a tool call whose arguments are the JSON text `written`. */
async function judge(engine: GuardrailEngine, written: string, name = 'run'): Promise<Verdict> {
  const args: Json = await readJson(Buffer.from(written));
  for (const { text, as } of judgedCall(name, args)) {
    const verdict = await engine.judge(text, as);
    if (verdict.kind === 'block') return verdict;
  }
  return { kind: 'pass' };
}

const isBlocked = async (entry: RuleEntry, written: string, name?: string) =>
  (await judge(engineOf([entry]), written, name)).kind === 'block';

/** Pairs of a rule and a text in which the rule has a hit when the text is sent unchanged. */
const secrets: [RuleEntry, string][] = [
  [words(['drop table']), 'DROP TABLE users'],
  [words(['/etc/shadow']), '/etc/shadow'],
  [words(['Projekt Ägir'], { whole_word: true }), 'Projekt Ägir'],
  [pattern('\\b4\\d{15}\\b'), '4111111111111111'],
  [pattern('(?i)bearer\\s+[a-z0-9]{10}'), 'Bearer abcdef0123456789'],
  [pattern('(?i)^rm\\s+-rf'), 'rm -rf /srv/data'],
];

beforeAll(() => loadSqlParser());

describe('rules that read a call', () => {
  it('find what they find in plain text, however it is disguised', async () => {
    let tried = 0;
    const missed: string[] = [];
    for (const [entry, text] of secrets) {
      const engine = engineOf([entry]);
      const isAnchored = entry.pattern_regex.includes('^');
      for (const { name, written } of someOf(disguisesOf(text), 4)) {
        // A rule about the start of a text does not apply when the text is split or hidden inside another
        // text.
        if (isAnchored && /cut among|in the order|in base64 among/.test(name)) continue;
        tried += 1;
        if ((await judge(engine, written)).kind === 'pass') missed.push(`${text} ${name}`);
      }
    }
    for (const digits of ['4111111111111111', '4999999999999999']) {
      const engine = engineOf([pattern('\\b4\\d{15}\\b')]);
      for (const { name, written } of numbersOf(digits)) {
        tried += 1;
        if ((await judge(engine, written)).kind === 'pass') missed.push(`${digits} ${name}`);
      }
    }
    expect(missed).toEqual([]);
    expect(tried).toBeGreaterThan(IS_LONG ? 2_000 : 500);
  });

  it('find nothing in calls of everyday work', async () => {
    const engine = engineOf(secrets.map(([entry]) => entry));
    for (const written of [
      '{"path":"/home/user/projects/drop/tables.md","line":4111}',
      '{"query":"who dropped the tablecloth?","limit":4111111,"offset":111111111}',
      '{"ids":[41111111,11111111,4111],"image":"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk"}',
      String.raw`{"code":"const path = 'C:\\Users\\me\\new'; // %20 and \\n"}`,
      '{}',
      '[]',
    ])
      expect([written, await judge(engine, written)]).toEqual([written, { kind: 'pass' }]);
  });

  it('read the name of the tool too', async () => {
    expect(await isBlocked(words(['delete_']), '{}', 'delete_everything')).toBe(true);
    expect(await isBlocked(words(['delete_']), '{}', 'ｄｅｌｅｔｅ_everything')).toBe(true);
  });

  it('refuse texts in texts that are too deep to be read', async () => {
    let text = 'DROP TABLE users';
    for (let layer = 0; layer < 12; layer += 1) text = Buffer.from(text).toString('base64');
    const verdict = await judge(engineOf([words(['xyzzy'])]), JSON.stringify({ text }));
    expect(verdict).toMatchObject({
      kind: 'block',
      hit: { findings: [{ text: expect.stringContaining('nested too deep') }] },
    });
  });

  it('say to the auditor what they found, decoded', async () => {
    const verdict = await judge(
      engineOf([words(['drop table'])]),
      String.raw`{"a":"x \u0044ROP\u00a0TABLE y"}`,
    );
    expect(verdict).toMatchObject({
      kind: 'block',
      hit: { findings: expect.arrayContaining([expect.objectContaining({ text: 'DROP TABLE' })]) },
    });
  });

  it('find what is anywhere in a call, whatever else is in it, and never fail', async () => {
    const engine = engineOf([words(['xyzzy']), pattern('^q+w$'), statement({ kinds: ['drop'] })]);
    await fc.assert(
      fc.asyncProperty(fc.json(), fc.json(), async (first, second) => {
        const without = await judge(engine, JSON.stringify([JSON.parse(first), second]));
        expect(without.kind === 'pass' || /[xqd]/i.test(first + second)).toBe(true);
        const within = `{"a":${first},"b":[${second},["with XYZZY in it"],${second}]}`;
        expect((await engine.judge(within)).kind).toBe('block');
      }),
      { numRuns: volume(300, 5_000) },
    );
  });
});

describe('an entry that names arguments', () => {
  it.each([
    ['/sql', '{"sql":"xyzzy"}', true],
    ['/sql', '{"other":"xyzzy"}', false],
    ['/sql', '{"a":{"sql":"xyzzy"}}', false],
    ['/sql', '{"sql":{"text":["a","xyzzy"]}}', true],
    ['/sql', '{"sql":{"xyzzy":1}}', true],
    ['/xyzzy', '{"xyzzy":1}', false],
    ['/sql', String.raw`{"s\u0071l":"xy\u007azy"}`, true],
    ['/sql', '{"SQL":"xyzzy"}', true],
    ['/SQL', '{"sql":"xyzzy"}', true],
    ['/sql', '{"\u017FqL":["xyzzy"]}', true],
    ['/sql', '{"\uFF53\uFF51\uFF4C":"xyzzy"}', true],
    ['/*/token', '{"b":{"to\u212Aen":"xyzzy"}}', true],
    ['/sql', '{"sq":"xyzzy","sqll":"xyzzy"}', false],
    ['/sql', '{"sql":"eHl6enk="}', true],
    ['/sql', '{"sql":["xy","zzy"]}', true],
    ['/queries/0', '{"queries":["xyzzy","a"]}', true],
    ['/queries/0', '{"queries":["a","xyzzy"]}', false],
    ['/queries/*', '{"queries":["a","xyzzy"]}', true],
    ['/*/text', '{"b":{"text":"xyzzy"}}', true],
    ['/*/text', '{"b":{"other":"xyzzy"}}', false],
    ['/a~1b', '{"a/b":"xyzzy"}', true],
    ['', '{"a":["xyzzy"]}', true],
    ['', '"xyzzy"', true],
  ])('reads what is at %j of %s', async (pointer, written, expected) => {
    expect(await isBlocked(words(['xyzzy'], { arguments: [pointer] }), written)).toBe(expected);
    // The name of the tool is not an argument, so the entry does not search it.
    expect(await isBlocked(words(['xyzzy'], { arguments: [pointer] }), '{}', 'xyzzy')).toBe(false);
  });

  const noDrop = { kinds: ['drop' as const] };

  it.each([
    ['/sql', '{"sql":"drop table t"}', true],
    ['/sql', '{"sql":"select 1; DROP/**/TABLE t"}', true],
    ['/sql', '{"sql":"select 1"}', false],
    ['/sql', '{"sql":"no sql at all"}', true],
    ['/sql', '{"sql":{"text":"drop table t"}}', true],
    ['/sql', '{"other":"drop table t"}', false],
    ['/queries/*', '{"queries":["select 1","drop table t"]}', true],
    ['/queries/*', '{"queries":["select 1"]}', false],
  ])('reads SQL at %j of %s', async (pointer, written, expected) => {
    expect(await isBlocked(statement({ ...noDrop, arguments: [pointer] }), written)).toBe(expected);
  });

  it('reads SQL in any argument that is SQL where none is named', async () => {
    expect(await isBlocked(statement(noDrop), '{"a":{"b":["drop table t"]}}')).toBe(true);
    expect(await isBlocked(statement(noDrop), '{"a":"hello, how are you?"}')).toBe(false);
    expect(await isBlocked(statement(noDrop), '{"a":"select 1","b":"x"}')).toBe(false);
  });

  it('reads long calls, and calls of which a thread reads the bytes', async () => {
    const sql = `select 1 ${'/* long */'.repeat(150_000)}; drop table t`;
    const entry = statement({ ...noDrop, arguments: ['/sql'] });
    expect(await isBlocked(entry, JSON.stringify({ sql }))).toBe(true);
    expect(await isBlocked(words(['drop'], { arguments: ['/sql'] }), JSON.stringify({ sql }))).toBe(true);
    expect(await isBlocked(words(['drop'], { arguments: ['/a'] }), JSON.stringify({ sql }))).toBe(false);
  });

  it('has no effect where inputs have no arguments', async () => {
    const engine = engineOf(
      [words(['drop'], { arguments: ['/sql'] }), statement({ ...noDrop, arguments: ['/sql'] })],
      postgresql,
    );
    expect(await engine.judge('drop table t')).toEqual({ kind: 'pass' });
    expect(engine.judgesInput).toBe(false);
  });
});
