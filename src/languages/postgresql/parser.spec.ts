import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import * as fc from '../../../test/support/fast-check';
import type { ParsedSql, StatementFacts } from './facts/facts';
import { parseSql, loadSqlParser } from './parser';
import { volume } from '../../../test/support/volume';

function statements(sql: string): readonly StatementFacts[] {
  const parsed = parseSql(sql);
  if (parsed.kind === 'unparseable') throw new Error(`${parsed.reason}: ${sql.slice(0, 100)}`);
  return parsed.statements;
}

const GOOD = 'delete from s.t where f(id)';
const TERMS = `select ${'1+'.repeat(40_000)}1`;
const UNIONS = `select 1${' union select 1'.repeat(40_000)}`;
const TOO_DEEP: readonly (readonly [string, string])[] = [
  ['terms', TERMS],
  ['set operations', UNIONS],
  ['nested parentheses', `select ${'('.repeat(20_000)}1${')'.repeat(20_000)}`],
  ['nested sub-selects', `select ${'(select '.repeat(20_000)}1${')'.repeat(20_000)}`],
  ['nested calls', `select ${'f('.repeat(20_000)}${')'.repeat(20_000)}`],
  ['a row of NOT', `select ${'not '.repeat(20_000)}true`],
];

test('refuses to work before the parser is loaded', () => {
  // Uses a process of its own, because another test file may have loaded the parser in this process.
  const typescript = join(__dirname, '../../../test/support/jest/typescript.cjs');
  const program = `require(${JSON.stringify(join(__dirname, 'parser.ts'))}).parseSql('select 1')`;
  const { status, stderr } = spawnSync(process.execPath, ['-r', typescript, '-e', program], {
    encoding: 'utf8',
  });
  expect(stderr).toContain('loadSqlParser');
  expect(status).toBe(1);
});

describe('parser', () => {
  let good: ParsedSql;
  beforeAll(async () => {
    await Promise.all([loadSqlParser(), loadSqlParser()]);
    good = parseSql(GOOD);
  });

  test.each(['', ' \n\t', '-- x', '/* /* a */ */', ';;;', '\uFEFF'])('no statement in %j', (sql) => {
    expect(parseSql(sql)).toEqual({ kind: 'facts', statements: [] });
  });

  test.each([
    ['NUL, behind which the parser would see nothing', 'select 1\u0000; drop table t', 'NUL'],
    ['a syntax error', 'selec 1', 'syntax error'],
    ['an error in the second statement', 'select 1; drop tabel x', 'syntax error'],
    ['an open quote', "select 'x", 'unterminated'],
    ['an open comment', 'select 1 /* x', 'unterminated'],
    ['half a character', 'drop table "\uD800"', 'Unicode'],
    ['half a character at the end', 'select 1 -- \uDC00', 'Unicode'],
    ['a mark in the middle', 'select 1; \uFEFFdrop table t', 'syntax error'],
    ['a hard space', 'drop\u00A0table t', 'syntax error'],
    ['an invalid escape', 'drop table U&"\\zzzz"', 'escape'],
  ])('unparseable: %s', (_, sql, reason) => {
    expect(parseSql(sql)).toEqual({ kind: 'unparseable', reason: expect.stringContaining(reason) });
  });

  test.each(TOO_DEEP)('unparseable, and usable afterwards: %s', (_, sql) => {
    expect(parseSql(sql)).toMatchObject({ kind: 'unparseable' });
    expect(parseSql(GOOD)).toEqual(good);
  });

  // A parser instance breaks after about thirty overflows of its stack.
  test('a parser that overflowed again and again still tells the same', async () => {
    for (let round = 0; round < volume(36, 80); round += 1) {
      expect(parseSql(TERMS).kind).toBe('unparseable');
      expect(parseSql(GOOD)).toEqual(good);
      await new Promise(setImmediate);
    }
  }, 480_000);

  test('more failures at once than there are spares: no answer at all, then usable again', async () => {
    for (let round = 0; round < 3; round += 1) expect(parseSql(TERMS).kind).toBe('unparseable');
    // The error must not be `unparseable`: a rule may allow unparseable texts, but the parser is only not
    // ready.
    expect(() => parseSql(`${GOOD} and g(id)`)).toThrow('the parser is starting again');
    await new Promise(setImmediate);
    expect(parseSql(GOOD)).toEqual(good);
  });

  test('a body that overflows makes its function hidden and nothing else', () => {
    const [created, after] = statements(
      `create function f() returns int language sql as '${TERMS}'; ${GOOD}`,
    );
    expect(created).toMatchObject({
      kinds: ['create'],
      hidden: ['defines a function whose body cannot be parsed'],
    });
    expect(after).toMatchObject({ kinds: ['delete'], hidden: [] });
  });

  test('bodies in bodies are read to a bound, and then said to be hidden', () => {
    let sql = 'drop table t';
    for (let depth = 0; depth < 7; depth += 1) {
      sql = `create function f() returns int language sql as $q${depth}$${sql}$q${depth}$`;
    }
    expect(statements(sql)[0]?.hidden).toEqual(['defines functions that are nested too deeply']);
  });

  test('a chain as deep as the parser allows is walked to its end', () => {
    const [facts] = statements(`select ${'1+'.repeat(1_000)}g(1)`);
    expect(facts?.functions).toEqual([{ name: 'g' }]);
  });

  test('a byte order mark is passed over, as psql does', () => {
    expect(statements('\uFEFFdrop table t')).toMatchObject([{ start: 1, end: 13, kinds: ['drop'] }]);
  });

  test('long names are cut where PostgreSQL cuts them', () => {
    expect(statements(`drop table ${'é'.repeat(40)}`)[0]?.tables[0]?.name).toBe('é'.repeat(31));
  });

  test('facts are plain data', () => {
    const parsed = parseSql(`${GOOD}; select x.f, g() from y; do $$x$$`);
    expect(structuredClone(parsed)).toEqual(parsed);
  });

  test('10 000 statements behind non-ASCII text have their ranges', () => {
    const sql = "select '😀é';".repeat(10_000);
    const found = statements(sql);
    expect(found).toHaveLength(10_000);
    expect(found.at(-1)).toMatchObject({ start: sql.length - 13, end: sql.length - 1 });
  });
});

describe('several statements', () => {
  const PIECES = [
    'select \'é😀\', f(a) from "täble" where b = 1',
    'delete from s.t',
    'update t set a = $x$ü; drop table x; $x$',
    "insert into a values ('😀')",
    'drop table "漢字", b.c',
    'with x as (delete from t where a = 1 returning *) select x.a from x',
    "select E'\\'; ü', U&'\\00e9', $1",
    'do $$ begin null; end $$',
    'truncate a cascade',
    "copy t from program '𝒳'",
    'create view v as select * from w',
  ];
  const FILLERS = [' ', '\n', '/* é; */', '-- 😀;\n', '\t', ';', ''];

  test('have the facts of each by itself, and its range', () => {
    const filler = fc.array(fc.constantFrom(...FILLERS), { maxLength: 3 }).map((parts) => parts.join(''));
    const piece = fc.record({ before: filler, sql: fc.constantFrom(...PIECES) });
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1, maxLength: 12 }), (pieces) => {
        const text = pieces.map(({ before, sql }) => `${before}${sql};`).join('');
        const found = statements(text);
        expect(found.map(({ start, end }) => text.slice(start, end))).toEqual(pieces.map(({ sql }) => sql));
        const alone = pieces.map(({ sql }) => statements(sql)[0]);
        expect(found.map((facts) => ({ ...facts, start: 0, end: 0 }))).toEqual(
          alone.map((facts) => ({ ...facts, start: 0, end: 0 })),
        );
      }),
      { numRuns: volume(100, 300) },
    );
  });
});
