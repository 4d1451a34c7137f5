import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from '../../../test/support/fast-check';
import { AlikeTexts, statementForm } from './alike-texts';
import type { ParsedSql } from './facts/facts';
import { loadSqlParser, parseSql } from './parser';
import { volume } from '../../../test/support/volume';

/** Parses without the cache, because a text with a byte order mark is never cached. */
function parsedAnew(text: string): ParsedSql {
  const parsed = parseSql(`\uFEFF${text}`);
  if (parsed.kind === 'unparseable') return parsed;
  const statements = parsed.statements.map((facts) => ({
    ...facts,
    start: facts.start - 1,
    end: facts.end - 1,
  }));
  return { kind: 'facts', statements };
}

const FOLDER = join(__dirname, 'facts-cases');
/** The statements of all test cases. Each case has three lines, and the second line is the statement. */
const CASES = readdirSync(FOLDER).flatMap((file) =>
  readFileSync(join(FOLDER, file), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .filter((_, index) => index % 3 === 1)
    .map((line) => line.trim()),
);

/** Statements whose facts depend on a constant, or seem to depend on one. */
const DECIDED = [
  "select nextval('a.b'), 1",
  "select set_config('work_mem', '1', true)",
  "select current_setting('x')",
  "select setval('s', 1)",
  'delete from t where 1 = 1',
  'delete from t where id = 1',
  "update t set a = 'x' where 'a' in ('b')",
  'select float(1)::float(25)',
  'select 1::float(24)',
  "select 'a'\n'b', 1",
  "select 'a' 'b'",
  "select e'a', 'b'",
  "select ne'a'",
  'select 1.5, 1e5, 0x1F, 1_000, 1',
  'select 1from t',
  'select a[1], $1, $2',
  'select - 1, -1, +1',
  "select date '2020-01-01', interval '1 day' day, interval(3) '1'",
  'update t set a = 1 where current of c',
  'select 1; select 2',
  'select 1;',
  "  select 'ß😀', 1 ; ",
  'select 1 -- 1',
  "select /* '1' */ 1 from t limit 1 offset 2",
  "select x.* from dblink('a', 'b') x where y = 1",
  "execute p(1, 'x')",
  'fetch 5 from c',
  "do 'x'",
  'explain select 1',
  'with x as (insert into t values (1) returning *) select * from x where y = 2',
  "select * from json_table('{}', '$' columns (a int path '$.a'))",
  "select * from xmltable('/r' passing '<r/>' columns a text path 'x')",
  'select * from t tablesample bernoulli (10) repeatable (5)',
  'merge into t using u on t.a = 1 when matched then delete',
  'insert into t values (1) on conflict (a) do update set b = 2',
];

const integer = fc.oneof(
  fc.nat(999_999_999).map(String),
  fc.constantFrom('0', '1', '00', '2147483647', '2147483648', '9'.repeat(40)),
);
const word = fc.constantFrom(
  '',
  'x',
  'a.b',
  '1',
  'drop table t',
  'work_mem',
  'on',
  '$a$',
  '--',
  '/*',
  'ß',
  '😀',
);

/** Returns the statement with its constants replaced. */
function changed(text: string, integers: readonly string[], words: readonly string[]): string {
  let at = 0;
  return text.replace(/'([^'\\]*)'|(?<![\w.$])\d+(?![\w.])/g, (found, body: string | undefined) => {
    at += 1;
    if (body === undefined) return integers[at % integers.length] ?? found;
    return `'${words[at % words.length] ?? ''}'`;
  });
}

beforeAll(() => loadSqlParser());

test.each([...CASES, ...DECIDED])('the facts are those of the text itself: %s', (text) => {
  const constants = fc.array(integer, { minLength: 1, maxLength: 3 });
  const words = fc.array(word, { minLength: 1, maxLength: 3 });
  expect(parseSql(text)).toEqual(parsedAnew(text));
  fc.assert(
    fc.property(constants, words, (integers, strings) => {
      const other = changed(text, integers, strings);
      expect(parseSql(other)).toEqual(parsedAnew(other));
      expect(parseSql(`${other};`)).toEqual(parsedAnew(`${other};`));
    }),
    { numRuns: volume(10, 300) },
  );
});

test('texts of random tokens', () => {
  const piece = fc.oneof(
    { weight: 3, arbitrary: integer },
    { weight: 3, arbitrary: word.map((body) => `'${body}'`) },
    fc.constantFrom(
      "e'",
      "'",
      '"',
      '$$',
      '$1',
      '/*',
      '*/',
      '--',
      '\n',
      ';',
      '-',
      '+',
      '.',
      ',',
      '(',
      ')',
      '::',
      '\\',
    ),
    fc.constantFrom(
      'a',
      'from t',
      'where',
      'select',
      "u&'",
      'uescape',
      '=',
      'and',
      'in',
      'not',
      'float',
      'nextval',
    ),
  );
  const joined = fc.tuple(fc.array(piece, { maxLength: 8 }), fc.constantFrom('', ' '));
  fc.assert(
    fc.property(joined, integer, word, ([pieces, between], number, body) => {
      const text = `select ${pieces.join(between)}`;
      for (const each of [text, changed(text, [number], [body])]) {
        expect(parseSql(each)).toEqual(parsedAnew(each));
      }
    }),
    { numRuns: volume(3_000, 200_000) },
  );
});

test('what a session knows is not taken for what everybody knows', () => {
  const text = 'update alike_known set a = 1 where current of c';
  const known = ['cursor c'];
  expect(parseSql(text, known)).toEqual(parseSql(text, known));
  expect(parseSql(text)).toEqual(parsedAnew(text));
});

test('facts are remembered for texts that differ in constants only', () => {
  const alike = new AlikeTexts();
  const found = (text: string): unknown => {
    const form = statementForm(text);
    return form === undefined ? undefined : alike.find(form);
  };
  const keep = (text: string): void => {
    const parsed = parsedAnew(text);
    const form = statementForm(text);
    if (parsed.kind === 'facts' && parsed.statements[0] !== undefined && form !== undefined)
      alike.keep(form, parsed.statements[0]);
  };
  keep("select a from t where id = 1 and b = 'x'");
  const other = "select a from t where id = 20 and b = 'ß; drop table t'";
  expect(parsedAnew(other)).toEqual({ kind: 'facts', statements: [found(other)] });
  for (const text of [
    "select a from t where id = 2.0 and b = 'x'",
    "select a from t where id = 2 and b = E'x'",
    "select a from t where id = 2 or b = 'x'",
    "select a from t where id = 2 and b = 'x'; select 1",
  ]) {
    expect([text, found(text)]).toEqual([text, undefined]);
  }
  for (const text of ['fetch 1 from c', "do 'x'", "set a = 'x'", 'create table t (a int default 1)']) {
    keep(text);
    expect([text, found(text)]).toEqual([text, undefined]);
  }
});

test.each([
  ["select 'a', 1", 'select \u0000s, \u0000i'],
  ["select e'a', $a$1$a$, 1.5, 1e5, $1", undefined],
  ["select ''''", undefined],
])('the form of %j', (text, form) => {
  expect(statementForm(text)?.form).toBe(form ?? text);
});
