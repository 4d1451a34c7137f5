import { BrokenRule, type Verdict } from '../../gate/ports/guardrails';
import { hereInstead, pattern, statement, words } from '../../../test/support/rule-entries';
import { loadSqlParser } from '../../languages/postgresql/parser';
import { LongText, sharedBytes } from '../../kernel/text/long-text';
import type { AnalysisTask } from '../analysis/analysis';
import type { AnalysisPool } from '../analysis/analysis-pool';
import { GuardrailEngine } from './guardrail-engine';
import type { RuleEntry } from '../entries/rule-entry';
import { postgresql } from '../../languages/postgresql';
import { plainText } from '../../languages/plain';

function engineOf(
  entries: RuleEntry[],
  isSql = true,
  pool: Pick<AnalysisPool, 'run'> = hereInstead,
): GuardrailEngine {
  const rule = { id: '1', name: 'r', input: { rules: entries }, output: { rules: [] } };
  return new GuardrailEngine([rule], isSql ? postgresql : plainText, pool);
}

const found = (verdict: Verdict) =>
  verdict.kind === 'pass' ? undefined : verdict.hit.findings.map(({ text }) => text);

const judge = async (entry: RuleEntry, text: string, isSql = true) =>
  found(await engineOf([entry], isSql).judge(text));

describe('the engine', () => {
  beforeAll(() => loadSqlParser());

  it.each([
    ['DROP TABLE x', ['DROP TABLE']],
    ['drop\t\n table x', ['drop\t\n table']],
    ['DROP/**/TABLE x', ['DROP/**/TABLE']],
    ['drop /* a /* nested */ one */ -- and a line\n table x', undefined],
    ['ｄｒｏｐ ｔａｂｌｅ x', ['ｄｒｏｐ ｔａｂｌｅ']],
    ['dr\u200bop\u00a0table x', ['dr\u200bop\u00a0table']],
    ["DO 'begin drop/**/table x; end'", ['drop/**/table']],
    ['DO $x$ begin drop -- y\n table x; end $x$', ['drop -- y\n table']],
    ['select 1', undefined],
    ['droptable', undefined],
  ])('finds words in %j, by its canonical text too', async (text, expected) => {
    const pieces = await judge(words(['drop table']), text);
    if (expected === undefined && text.includes('nested')) expect(pieces).toHaveLength(1);
    else expect(pieces).toEqual(expected);
  });

  it('takes comments and quotes for text where the input is not SQL', async () => {
    expect(await judge(words(['drop table']), 'drop/**/table', false)).toBeUndefined();
    expect(await judge(words(['drop table']), 'drop \t ｔａｂｌｅ', false)).toEqual(['drop \t ｔａｂｌｅ']);
  });

  it('finds names that are quoted, and words that are written with quotes', async () => {
    expect(await judge(words(['secret_plans']), 'select * from U&"\\0073ecret_plans"')).toHaveLength(1);
    expect(await judge(words(['drop table "Users"']), 'DROP  TABLE Users')).toEqual(['DROP  TABLE Users']);
  });

  it('finds words that hold marks of SQL, however they are spaced', async () => {
    for (const text of ['DO $$ x $$', 'do \n\t$$ x $$', 'do\u00a0$$ x $$']) {
      expect([text, (await judge(words(['do $$']), text))?.length]).toEqual([text, 1]);
    }
    expect(await judge(words(["= '' or"]), "a =  ''\tOR 1")).toHaveLength(1);
    expect(await judge(words(['x --']), 'x   -- y')).toHaveLength(1);
  });

  it('finds words with signs in them, however the names are quoted', async () => {
    for (const [word, text] of [
      ['public.users', 'SELECT pw FROM public."users"'],
      ['public.users', 'SELECT pw FROM "public".users'],
      ['public.users', 'SELECT pw FROM U&"public".users'],
      ['delete from public.users', 'DELETE FROM public."users"'],
      ['pg_sleep(', 'SELECT "pg_sleep"(0)'],
      ['a=1', 'SELECT * FROM t WHERE "a"=1'],
    ] as const) {
      expect([text, (await judge(words([word]), text))?.length]).toEqual([text, 1]);
    }
  });

  it('tells everything that it found, by the first entry in order whichever view showed it', async () => {
    const engine = engineOf([words(['drop table']), words(['grant'])]);
    const text = 'grant x;drop/**/table y';
    expect(await engine.judge(text)).toMatchObject({ hit: { index: 0 } });
    expect((await engine.inspect(text)).map(({ findings }) => findings[0]?.text)).toEqual([
      'drop/**/table',
      'grant',
    ]);
  });

  it('takes as many words as rules may hold together', async () => {
    const many = Array.from({ length: 200_000 }, (_, i) => `w${i.toString(36)}`);
    expect(await judge(words(many), 'a w3z b')).toContain('w3z');
    expect(await judge(words(many), 'nothing of the kind')).toBeUndefined();
  });

  it('blocks a text full of words that begin alike, without counting them all', async () => {
    const many = Array.from({ length: 340 }, (_, i) => 'a'.repeat(i + 1));
    expect((await judge(words(many), 'a'.repeat(200_000)))?.length).toBe(100);
  });

  it('finds words in any case and anywhere, unless the entry narrows that', async () => {
    expect(await judge(words(['drop']), 'backDROPs')).toEqual(['DROP']);
    expect(await judge(words(['drop'], { case_sensitive: true }), 'DROP')).toBeUndefined();
    expect(await judge(words(['DROP'], { case_sensitive: true }), 'a DROP')).toEqual(['DROP']);
    const whole = words(['drop', 'ärger', '-x'], { whole_word: true });
    for (const text of ['backdrop', 'drops', 'drop_', '1drop', 'drop\u0301', 'ärgern', '-xy']) {
      expect([text, await judge(whole, text, false)]).toEqual([text, undefined]);
    }
    for (const text of ['drop', '(drop)', 'a drop', 'x.drop,', 'Ärger!', 'a-x', 'drop\u{10428} drop']) {
      expect([text, (await judge(whole, text, false))?.length]).toEqual([text, 1]);
    }
  });

  it('takes the characters of a pattern in words as they are', async () => {
    expect(await judge(words(['a.c', '[x]', 'a|b', '(', '\\d', '$1', '^']), 'abc x a b 1')).toBeUndefined();
  });

  it('holds patterns against the whole, and against each statement by itself', async () => {
    const drop = pattern('(?i)^drop');
    for (const text of [
      'drop x',
      '  drop x',
      '/* x */ drop x',
      'select 1; drop x',
      'select 1;-- x\n DROP x',
    ]) {
      expect([text, await judge(drop, text)]).toEqual([text, [expect.stringMatching(/drop/i)]]);
    }
    expect(await judge(drop, "select 'a; drop x'")).toBeUndefined();
    expect(await judge(drop, 'select 1; drop x', false)).toBeUndefined();
    expect(await judge(pattern('x$'), 'select x; select y')).toEqual(['x']);
  });

  it('blocks strings that are nested deeper than it looks, and says why', async () => {
    const nested = (depth: number): string =>
      depth === 0 ? 'drop/**/table x' : `DO '${nested(depth - 1).replaceAll("'", "''")}'`;
    expect(await judge(words(['drop table']), nested(7))).toHaveLength(1);
    expect(await judge(words(['drop table']), nested(10))).toEqual([
      'strings in strings are nested too deeply to be resolved',
    ]);
  });

  it('says where in the raw text it was', async () => {
    const verdict = await engineOf([words(['drop table'])]).judge('select 1; DROP /* x */ TABLE y');
    expect(verdict).toMatchObject({
      kind: 'block',
      hit: {
        ruleId: '1',
        ruleName: 'r',
        direction: 'input',
        index: 0,
        findings: [{ start: 10, end: 28, text: 'DROP /* x */ TABLE' }],
      },
    });
  });

  it('denies statements by what they do', async () => {
    const entry = statement({
      kinds: ['drop'],
      without_where: true,
      tables: [{ name: 'secrets', access: 'read' }, { name: 'public.log', access: 'write' }],
      functions: ['pg_read_file'],
    }); // prettier-ignore
    expect(await judge(entry, 'select 1; DROP TABLE x')).toEqual(['drop']);
    expect(await judge(entry, 'with x as (delete from t returning *) select * from x')).toEqual([
      'without WHERE',
    ]);
    expect(await judge(entry, 'explain analyze select * from app."secrets"')).toEqual(['table app.secrets']);
    expect(await judge(entry, 'insert into log values (1)')).toEqual(['table log']);
    expect(await judge(entry, 'select * from log')).toBeUndefined();
    expect(await judge(entry, "select pg_catalog.pg_read_file('x')")).toEqual([
      'function pg_catalog.pg_read_file',
    ]);
    expect(await judge(entry, "select 'drop table x'")).toBeUndefined();
    expect(await judge(entry, 'this is not SQL')).toEqual([expect.stringMatching(/^unparseable: /)]);
    expect(await judge(entry, 'DO $$ begin end $$')).toEqual([expect.stringMatching(/^hidden effect: /)]);
    const lax = statement({ kinds: ['drop'], unparseable: 'allow' });
    expect(await judge(lax, 'this is not SQL')).toBeUndefined();
    expect(await judge(lax, 'DO $$ begin end $$')).toBeUndefined();
    expect(await judge(lax, 'select 1; drop table x')).toEqual(['drop']);
    expect(await judge(entry, 'drop table x', false)).toBeUndefined();
  });

  it('hits by the first entry, in the order in which they are written', async () => {
    const entries = [pattern('nothing'), statement({ kinds: ['drop'] }), words(['drop'])];
    expect(await engineOf(entries).judge('drop table x')).toMatchObject({ hit: { index: 1 } });
    expect(await engineOf(entries.toReversed()).judge('drop table x')).toMatchObject({ hit: { index: 0 } });
  });

  it('sends what is long to a thread, and refuses when that fails', async () => {
    const sent: string[] = [];
    const pool = {
      run: (task: { kind: string }) => {
        sent.push(task.kind);
        return Promise.reject(new Error('the thread died'));
      },
    };
    for (const entry of [words(['drop']), statement({ kinds: ['drop'], unparseable: 'allow' })]) {
      const engine = engineOf([entry], true, pool);
      await expect(engine.judge('select 1;'.repeat(4_000))).rejects.toThrow('the thread died');
      expect(await engine.judge('select 1;')).toEqual({ kind: 'pass' });
    }
    expect(sent).toEqual(['search', 'statements']);
  });

  it.each([
    ['words', words(['drop table']), 'DROP  TABLE x'],
    ['a pattern', pattern('(?i)secret-\\d+'), "select 'SECRET-17'"],
    ['a statement', statement({ kinds: ['drop'] }), 'drop table x'],
    ['what cannot be parsed', statement({ kinds: ['drop'] }), 'not even sql'],
    ['nothing', words(['drop table']), 'select 1'],
  ])('says the same of a long text, which only threads decode: %s', async (_, entry, end) => {
    const text = `${"select 'größe 🐘';".repeat(2_000)}${end}`;
    const bytes = sharedBytes(Buffer.byteLength(text));
    bytes.write(text);
    const sent: unknown[] = [];
    const pool = {
      run: (task: AnalysisTask) => {
        sent.push(task.text);
        return hereInstead.run(task);
      },
    };
    const engine = engineOf([entry], true, pool);
    const verdict = await engine.judge(text);
    expect(verdict.kind).toBe(end === 'select 1' ? 'pass' : 'block');
    sent.length = 0;
    expect(await engine.judge(new LongText(bytes))).toEqual(verdict);
    for (const one of sent) expect((one as Buffer).buffer).toBe(bytes.buffer);
    expect(sent.length).toBeGreaterThan(0);
    const value = await engine.judge(text, 'value');
    expect(await engine.judge(new LongText(bytes), 'value')).toEqual(value);
  });

  it('names the rule that cannot be compiled', () => {
    const broken = () => engineOf([words(['x']), { ...words(['x']), type: 'other' as never }]);
    expect(broken).toThrow(BrokenRule);
    expect(broken).toThrow('the guardrail r cannot be applied: input.rules.1: type other is unknown');
  });

  it.each(['(a+)+$', '(a|aa)+$', '(.*a){20}$', '(\\w+\\s?)*$'])(
    'judges by %s in linear time',
    async (evil) => {
      // A backtracking engine would take exponential time, so this test would not end.
      await judge(pattern(evil), `${'a'.repeat(20_000)}!`);
    },
  );

  it('shows no more than the start of a long match, and never half a character', async () => {
    const [piece] = (await judge(pattern('a+🂡+'), `${'a'.repeat(255)}${'🂡'.repeat(100)}`)) ?? [];
    expect(piece).toBe('a'.repeat(255));
  });
});
