import type { Form, FormKind } from './intent';
import type { Transform } from './lexical-transforms';
import type { SeededRandom } from './random';

type Build = (sql: string, form: Form, random: SeededRandom) => string | undefined;

const ANY: readonly FormKind[] = ['query', 'change', 'utility', 'script'];
const ONE: readonly FormKind[] = ['query', 'change', 'utility'];
const PLANNED: readonly FormKind[] = ['query', 'change'];
const ROWS: readonly FormKind[] = ['query'];

const around =
  (as: FormKind | undefined, commits: boolean) =>
  (name: string, of: readonly FormKind[], build: Build): Transform => ({
    name,
    apply: (form, _, random) => {
      if (!of.includes(form.as) || (commits && form.commits)) return undefined;
      const sql = build(form.sql, form, random);
      return sql === undefined ? undefined : { sql, as: as ?? form.as, commits: form.commits || commits };
    },
  });

const script = around('script', false);
const committing = around('script', true);
const utility = around('utility', false);
const query = around('query', false);

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;
const returning = (sql: string, { as }: Form): string =>
  as === 'change' && !/\breturning\b/i.test(sql) ? `${sql} RETURNING *` : sql;

/** Wraps the statement in a PL/pgSQL block, which must have a destination for returned rows. */
const inBlock = (sql: string, { as }: Form): string =>
  as === 'query' || /\breturning\b/i.test(sql)
    ? `DECLARE r record; BEGIN FOR r IN ${sql} LOOP RAISE NOTICE '%', r; END LOOP; END`
    : `BEGIN ${sql}; END`;
const executing = (expression: string, sql: string, { as }: Form): string =>
  as === 'query' || (as === 'change' && /\breturning\b/i.test(sql))
    ? `DECLARE r record; BEGIN FOR r IN EXECUTE ${expression} LOOP RAISE NOTICE '%', r; END LOOP; END`
    : `BEGIN EXECUTE ${expression}; END`;

/** Splits the text into concatenated strings of one to three characters, so that words are broken. */
function inPieces(sql: string, random: SeededRandom): string {
  const pieces: string[] = [];
  for (let at = 0, next = 0; at < sql.length; at = next) {
    next = at + 1 + random.below(3);
    pieces.push(quoted(sql.slice(at, next)));
  }
  return pieces.join(' || ');
}
const inHex = (sql: string): string =>
  `convert_from(decode('${Buffer.from(sql).toString('hex')}', 'hex'), 'UTF8')`;
const inBase64 = (sql: string): string =>
  `convert_from(decode('${Buffer.from(sql).toString('base64')}', 'base64'), 'UTF8')`;
const inCodes = (sql: string): string =>
  [...sql].map((letter) => `chr(${letter.codePointAt(0)})`).join(' || ');
const reversed = (sql: string): string => `reverse(${quoted([...sql].toReversed().join(''))})`;
const doubled = (sql: string): string => `replace(${quoted([...sql].join('~'))}, '~', '')`;
const escapes = (sql: string): string =>
  `E'${[...sql].map((letter) => `\\${letter.charCodeAt(0).toString(8).padStart(3, '0')}`).join('')}'`;
const unicode = (sql: string): string =>
  `U&'${[...sql].map((letter) => `\\${letter.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')}'`;

/** Returns the body of an SQL function that returns the rows of a query as texts. */
const rowsAsText = (sql: string, { as }: Form): string =>
  as === 'query' ? `SELECT x::text FROM (${sql}) AS x` : sql;
const result = ({ as }: Form): string => (as === 'query' ? 'SETOF text' : 'void');
const sqlFunction = (form: Form, body: string, more = ''): string =>
  `CREATE FUNCTION corpus.f() RETURNS ${result(form)} LANGUAGE sql ${more} AS ${body}; SELECT corpus.f()`;

/** Puts the act between other statements, into a transaction, PREPARE or EXPLAIN. */
const SEQUENCES: readonly Transform[] = [
  script('a semicolon behind', ANY, (sql) => `${sql};`),
  script('empty statements around', ANY, (sql) => `;; ;${sql};;\n;`),
  script('a SELECT before', ANY, (sql) => `SELECT 1; ${sql}`),
  script('a SELECT behind', ANY, (sql) => `${sql}; SELECT 1`),
  script('strings with semicolons before', ANY, (sql) => `SELECT ';''"', $$ ; '$$, E'\\';'; ${sql}`),
  script('names with quotes before', ANY, (sql) => `SELECT 1 AS "a;'b""--", 2 AS U&"\\0027;/*"; ${sql}`),
  script('a hundred statements before', ANY, (sql) => `${'SELECT 1;\n'.repeat(100)}${sql}`),
  script('statements around', ANY, (sql) => `SELECT 1; ${sql}; SELECT 2; SHOW work_mem`),
  script('twenty KiB of comment before', ANY, (sql) => `/*${' filler'.repeat(3_000)}*/ ${sql}`),
  script(
    'twenty KiB of string before',
    ANY,
    (sql) => `SELECT length('${'a string; '.repeat(2_000)}'); ${sql}`,
  ),
  script('deep parentheses before', ANY, (sql) => `SELECT ${'('.repeat(200)}1${')'.repeat(200)}; ${sql}`),
  script('a long chain of operators before', ANY, (sql) => `SELECT ${'1 + '.repeat(500)}1; ${sql}`),
  committing('in a transaction', ANY, (sql) => `BEGIN; ${sql}; COMMIT`),
  committing(
    'in a transaction in other words',
    ANY,
    (sql) => `START TRANSACTION ISOLATION LEVEL SERIALIZABLE; ${sql}; END WORK`,
  ),
  committing(
    'behind a savepoint',
    ANY,
    (sql) => `BEGIN; SAVEPOINT a; SELECT 1; ROLLBACK TO a; ${sql}; RELEASE a; COMMIT`,
  ),
  committing('before a new transaction', ANY, (sql) => `BEGIN; ${sql}; COMMIT AND CHAIN; SELECT 1; ROLLBACK`),
  committing('behind a commit', ANY, (sql) => `SELECT 1; COMMIT; ${sql}`),
  script('EXPLAIN ANALYZE', PLANNED, (sql) => `EXPLAIN ANALYZE ${sql}`),
  script('EXPLAIN with options', PLANNED, (sql) => `EXPLAIN (COSTS off, ANALYZE true, FORMAT json) ${sql}`),
  script('PREPARE and EXECUTE', PLANNED, (sql) => `PREPARE p AS ${sql}; EXECUTE p`),
  script(
    'PREPARE and EXECUTE with a parameter',
    PLANNED,
    (sql) => `PREPARE "P 1" (int) AS ${sql}; EXECUTE "P 1" (7)`,
  ),
  script('EXPLAIN ANALYZE EXECUTE', PLANNED, (sql) => `PREPARE p AS ${sql}; EXPLAIN ANALYZE EXECUTE p`),
  script(
    'CREATE TABLE AS EXECUTE',
    ROWS,
    (sql) => `PREPARE p AS ${sql}; CREATE TEMP TABLE t AS EXECUTE p; TABLE t`,
  ),
];

/** Puts the act inside a single statement of another kind. */
const NESTINGS: readonly Transform[] = [
  query('WITH', PLANNED, (sql, form) => `WITH x AS (${returning(sql, form)}) SELECT * FROM x`),
  query(
    'WITH … MATERIALIZED',
    PLANNED,
    (sql, form) => `WITH y AS (SELECT 1), x AS MATERIALIZED (${returning(sql, form)}) SELECT x.* FROM x, y`,
  ),
  query('WITH whose rows nobody reads', PLANNED, (sql) => `WITH x AS (${sql}) SELECT 1`),
  script(
    'WITH before INSERT',
    PLANNED,
    (sql, form) =>
      `WITH x AS (${returning(sql, form)}) INSERT INTO notes SELECT 5, x::text FROM x RETURNING *`,
  ),
  script(
    'WITH before UPDATE',
    PLANNED,
    (sql, form) =>
      `WITH x AS (${returning(sql, form)}) UPDATE notes SET body = (SELECT string_agg(x::text, ',') FROM x) WHERE id = 1 RETURNING body`,
  ),
  script(
    'WITH before DELETE',
    PLANNED,
    (sql, form) =>
      `WITH x AS (${returning(sql, form)}) DELETE FROM notes WHERE id = 1 RETURNING (SELECT string_agg(x::text, ',') FROM x)`,
  ),
  utility('COPY to standard output', PLANNED, (sql, form) => `COPY (${returning(sql, form)}) TO STDOUT`),
  utility(
    'COPY as CSV',
    PLANNED,
    (sql, form) => `COPY (${returning(sql, form)}) TO STDOUT WITH (FORMAT csv, HEADER, FORCE_QUOTE *)`,
  ),
  query('a subquery', ROWS, (sql) => `SELECT * FROM (${sql}) AS x`),
  query('an array of rows', ROWS, (sql) => `SELECT ARRAY(SELECT x::text FROM (${sql}) AS x)`),
  query('a row in JSON', ROWS, (sql) => `SELECT json_agg(to_json(x)) FROM (${sql}) AS x`),
  query(
    'a scalar in CASE',
    ROWS,
    (sql) => `SELECT CASE WHEN 1 = 1 THEN (SELECT max(x::text) FROM (${sql}) AS x) END`,
  ),
  query('VALUES', ROWS, (sql) => `VALUES (1, (SELECT max(x::text) FROM (${sql}) AS x))`),
  query('LATERAL', ROWS, (sql) => `SELECT x.* FROM generate_series(1, 2) AS g, LATERAL (${sql}) AS x`),
  query('parentheses', ROWS, (sql) => `((((${sql}))))`),
  query('deep parentheses', ROWS, (sql) => `${'('.repeat(100)}${sql}${')'.repeat(100)}`),
  query(
    'ORDER BY',
    ROWS,
    (sql) => `SELECT * FROM notes ORDER BY (SELECT max(x::text)::int FROM (${sql}) AS x)`,
  ),
  script(
    'RETURNING',
    ROWS,
    (sql) =>
      `INSERT INTO notes VALUES (5, 'x') RETURNING (SELECT string_agg(x::text, ',') FROM (${sql}) AS x)`,
  ),
  script(
    'a setting',
    ROWS,
    (sql) =>
      `SELECT set_config('my.x', (SELECT string_agg(x::text, ',') FROM (${sql}) AS x), false); SHOW my.x`,
  ),
  script('a view', ROWS, (sql) => `CREATE VIEW corpus.v AS ${sql}; SELECT * FROM corpus.v`),
  script('a view in CREATE SCHEMA', ROWS, (sql) => `CREATE SCHEMA x CREATE VIEW v AS ${sql}; TABLE x.v`),
  script(
    'a materialized view',
    ROWS,
    (sql) =>
      `CREATE MATERIALIZED VIEW corpus.v AS ${sql} WITH NO DATA; REFRESH MATERIALIZED VIEW corpus.v; TABLE corpus.v`,
  ),
  script('CREATE TABLE AS', ROWS, (sql) => `CREATE TEMP TABLE t AS ${sql}; TABLE t`),
  script('SELECT INTO', ROWS, (sql) => `SELECT x.* INTO TEMP t FROM (${sql}) AS x; TABLE t`),
  committing('a cursor', ROWS, (sql) => `BEGIN; DECLARE c CURSOR FOR ${sql}; FETCH ALL FROM c; COMMIT`),
  script(
    'a cursor WITH HOLD',
    ROWS,
    (sql) =>
      `DECLARE c SCROLL CURSOR WITH HOLD FOR ${sql}; FETCH LAST FROM c; FETCH PRIOR FROM c; FETCH ABSOLUTE 1 FROM c`,
  ),
];

/** Puts the act into code that runs later: functions, procedures, rules, triggers. */
const CODE: readonly Transform[] = [
  script('an SQL function', ONE, (sql, form) => sqlFunction(form, `$f$ ${rowsAsText(sql, form)} $f$`)),
  script('an SQL function in quotes', ONE, (sql, form) => sqlFunction(form, quoted(rowsAsText(sql, form)))),
  script('an SQL function in escapes', ONE, (sql, form) => sqlFunction(form, escapes(rowsAsText(sql, form)))),
  script('an SQL function in Unicode escapes', ONE, (sql, form) =>
    sqlFunction(form, unicode(rowsAsText(sql, form))),
  ),
  script('an SQL function with settings', ONE, (sql, form) =>
    sqlFunction(form, `$f$ ${rowsAsText(sql, form)} $f$`, `SECURITY DEFINER SET work_mem = '1MB'`),
  ),
  script('an SQL function that reads strings otherwise', ONE, (sql, form) =>
    form.as === 'query' || sql.includes("'")
      ? undefined
      : sqlFunction(form, `$f$ SELECT '\\''; ${sql}; --' $f$`, 'SET standard_conforming_strings = off'),
  ),
  script(
    'an SQL function whose language comes last',
    ONE,
    (sql, form) =>
      `CREATE OR REPLACE FUNCTION corpus.f() RETURNS ${result(form)} AS $f$ ${rowsAsText(sql, form)} $f$ VOLATILE LANGUAGE 'sql'; SELECT * FROM corpus.f()`,
  ),
  script(
    'an SQL function with a body',
    PLANNED,
    (sql, form) =>
      `CREATE FUNCTION corpus.f() RETURNS ${result(form)} BEGIN ATOMIC ${rowsAsText(sql, form)}; END; SELECT corpus.f()`,
  ),
  script(
    'an SQL function in an SQL function',
    ONE,
    (sql, form) =>
      `${sqlFunction(form, `$f$ ${rowsAsText(sql, form)} $f$`).split('; SELECT corpus.f()')[0]}; CREATE FUNCTION corpus.g() RETURNS SETOF text LANGUAGE sql AS 'SELECT corpus.f()::text'; SELECT corpus.g()`,
  ),
  script(
    'a PL/pgSQL function',
    ANY,
    (sql, form) =>
      `CREATE FUNCTION corpus.f() RETURNS void LANGUAGE plpgsql AS $f$ ${inBlock(sql, form)} $f$; SELECT corpus.f()`,
  ),
  script(
    'a PL/pgSQL function of pieces',
    ANY,
    (sql, form, random) =>
      `CREATE FUNCTION corpus.f() RETURNS void LANGUAGE plpgsql AS $f$ ${executing(inPieces(sql, random), sql, form)} $f$; SELECT corpus.f()`,
  ),
  script(
    'an SQL procedure',
    ONE,
    (sql) => `CREATE PROCEDURE corpus.p() LANGUAGE sql AS $f$ ${sql} $f$; CALL corpus.p()`,
  ),
  script(
    'a procedure with a body',
    PLANNED,
    (sql) => `CREATE PROCEDURE corpus.p() BEGIN ATOMIC SELECT 1; ${sql}; END; CALL corpus.p()`,
  ),
  script(
    'a PL/pgSQL procedure',
    ANY,
    (sql, form) =>
      `CREATE PROCEDURE corpus.p() LANGUAGE plpgsql AS ${quoted(inBlock(sql, form))}; CALL corpus.p()`,
  ),
  script(
    'a trigger',
    ANY,
    (sql, form) =>
      `CREATE FUNCTION corpus.f() RETURNS trigger LANGUAGE plpgsql AS $f$ ${inBlock(sql, form).replace(/END$/, 'RETURN NEW; END')} $f$; CREATE TRIGGER t AFTER INSERT ON notes EXECUTE FUNCTION corpus.f(); INSERT INTO notes VALUES (5, 'x')`,
  ),
  script(
    'an event trigger',
    ANY,
    (sql, form) =>
      `CREATE FUNCTION corpus.f() RETURNS event_trigger LANGUAGE plpgsql AS $f$ ${inBlock(sql, form)} $f$; CREATE EVENT TRIGGER t ON ddl_command_end WHEN TAG IN ('CREATE SEQUENCE') EXECUTE FUNCTION corpus.f(); CREATE SEQUENCE corpus.s`,
  ),
  script(
    'a rule',
    PLANNED,
    (sql) => `CREATE RULE r AS ON UPDATE TO notes DO INSTEAD (${sql}); UPDATE notes SET body = 'x'`,
  ),
  script(
    'a rule with several statements',
    PLANNED,
    (sql) => `CREATE RULE r AS ON UPDATE TO notes DO ALSO (SELECT 1; ${sql}); UPDATE notes SET id = 1`,
  ),
  script(
    'a function in a default',
    ONE,
    (sql, form) =>
      `${sqlFunction(form, `$f$ ${rowsAsText(sql, form)} $f$`).split('; SELECT corpus.f()')[0]}; CREATE TABLE corpus.t (a int, b text); INSERT INTO corpus.t VALUES (1, (SELECT corpus.f()::text)) RETURNING *`,
  ),
  script('an aggregate', ONE, (sql, form) =>
    form.as === 'query'
      ? undefined
      : `CREATE FUNCTION corpus.f(int, int) RETURNS int LANGUAGE sql AS $f$ ${sql}; SELECT 1 $f$; CREATE AGGREGATE corpus.a (int) (SFUNC = corpus.f, STYPE = int, INITCOND = '0'); SELECT corpus.a(1)`,
  ),
  script('an operator', ONE, (sql, form) =>
    form.as === 'query'
      ? undefined
      : `CREATE FUNCTION corpus.f(int) RETURNS int LANGUAGE sql AS $f$ ${sql}; SELECT 1 $f$; CREATE OPERATOR corpus.@@@@ (RIGHTARG = int, FUNCTION = corpus.f); SELECT OPERATOR(corpus.@@@@) 1`,
  ),
  script('a cast', ONE, (sql, form) =>
    form.as === 'query'
      ? undefined
      : `CREATE TYPE corpus.c AS (a int); CREATE FUNCTION corpus.f(int) RETURNS corpus.c LANGUAGE sql AS $f$ ${sql}; SELECT ROW(1)::corpus.c $f$; CREATE CAST (int AS corpus.c) WITH FUNCTION corpus.f(int); SELECT 1::corpus.c`,
  ),
];

/** Puts the act into texts that are run as SQL. */
const TEXTS: readonly Transform[] = [
  script('a block', ANY, (sql, form) => `DO $$ ${inBlock(sql, form)} $$`),
  script('a block in quotes', ANY, (sql, form) => `DO ${quoted(inBlock(sql, form))}`),
  script('a block in escapes', ANY, (sql, form) => `DO ${escapes(inBlock(sql, form))} LANGUAGE plpgsql`),
  script('a block in Unicode escapes', ANY, (sql, form) => `DO ${unicode(inBlock(sql, form))}`),
  script(
    'a block in other escapes',
    ANY,
    (sql, form) => `DO ${unicode(inBlock(sql, form)).replaceAll('\\', '!')} UESCAPE '!'`,
  ),
  script('a block with a tag', ANY, (sql, form) => `DO LANGUAGE plpgsql $ä_1$ ${inBlock(sql, form)} $ä_1$`),
  script(
    'a block in two lines',
    ANY,
    (sql, form) => `DO ${quoted(inBlock(sql, form)).replace(/^('.{7})/, "$1'\n'")}`,
  ),
  script('a quoted EXECUTE', ANY, (sql, form) => `DO $$ ${executing(quoted(sql), sql, form)} $$`),
  script('EXECUTE in dollars', ANY, (sql, form) => `DO $a$ ${executing(`$b$${sql}$b$`, sql, form)} $a$`),
  script(
    'EXECUTE in quotes in quotes',
    ANY,
    (sql, form) => `DO ${quoted(executing(quoted(sql), sql, form))}`,
  ),
  script(
    'EXECUTE of pieces',
    ANY,
    (sql, form, random) => `DO $$ ${executing(inPieces(sql, random), sql, form)} $$`,
  ),
  script('EXECUTE of codes', ANY, (sql, form) => `DO $$ ${executing(inCodes(sql), sql, form)} $$`),
  script('EXECUTE of hex', ANY, (sql, form) => `DO $$ ${executing(inHex(sql), sql, form)} $$`),
  script('EXECUTE of base64', ANY, (sql, form) => `DO $$ ${executing(inBase64(sql), sql, form)} $$`),
  script('EXECUTE of the reverse', ANY, (sql, form) => `DO $$ ${executing(reversed(sql), sql, form)} $$`),
  script('EXECUTE of a replacement', ANY, (sql, form) => `DO $$ ${executing(doubled(sql), sql, form)} $$`),
  script('EXECUTE of escapes', ANY, (sql, form) => `DO $$ ${executing(escapes(sql), sql, form)} $$`),
  script('EXECUTE of Unicode escapes', ANY, (sql, form) => `DO $$ ${executing(unicode(sql), sql, form)} $$`),
  script(
    'EXECUTE of a format',
    ANY,
    (sql, form) =>
      `DO $$ ${executing(`format('%s ${sql.split(' ').slice(1).join(' ').replaceAll("'", "''").replaceAll('%', '%%')}', ${quoted(sql.split(' ')[0] ?? '')})`, sql, form)} $$`,
  ),
  script(
    'EXECUTE of what a table holds',
    ONE,
    (sql, form) =>
      `INSERT INTO notes VALUES (8, ${quoted(sql)}); DO $$ ${executing('(SELECT body FROM notes WHERE id = 8)', sql, form)} $$`,
  ),
  script(
    'EXECUTE of a comment',
    ONE,
    (sql, form) =>
      `COMMENT ON TABLE notes IS ${quoted(sql)}; DO $$ ${executing("obj_description('notes'::regclass)", sql, form)} $$`,
  ),
  query('query_to_xml', ROWS, (sql) => `SELECT query_to_xml(${quoted(sql)}, true, false, '')`),
  query(
    'query_to_xml of pieces',
    ROWS,
    (sql, _, random) => `SELECT query_to_xml(${inPieces(sql, random)}, true, false, '')`,
  ),
  query(
    'query_to_xml of hex, as a table',
    ROWS,
    (sql) => `SELECT * FROM pg_catalog.query_to_xml(${inHex(sql)}, true, false, '')`,
  ),
  script(
    'query_to_xml by an operator',
    ROWS,
    (sql) =>
      `CREATE FUNCTION corpus.f(text) RETURNS xml LANGUAGE sql AS 'SELECT query_to_xml($1, true, false, '''')'; CREATE OPERATOR @@@@ (RIGHTARG = text, FUNCTION = corpus.f); SELECT @@@@ ${inHex(sql)}`,
  ),
  script(
    'query_to_xml by another name',
    ROWS,
    (sql) =>
      `ALTER FUNCTION query_to_xml(text, boolean, boolean, text) RENAME TO pretty; SELECT pretty(${inHex(sql)}, true, false, '')`,
  ),
  script(
    'query_to_xml as internal code',
    ROWS,
    (sql) =>
      `CREATE FUNCTION corpus.f(text, boolean, boolean, text) RETURNS xml LANGUAGE internal AS 'query_to_xml'; SELECT corpus.f(${inHex(sql)}, true, false, '')`,
  ),
  committing(
    'cursor_to_xml',
    ROWS,
    (sql) => `BEGIN; DECLARE c CURSOR FOR ${sql}; SELECT cursor_to_xml('c', 9, true, false, ''); COMMIT`,
  ),
  query(
    'ts_stat',
    ROWS,
    (sql) => `SELECT * FROM ts_stat($q$ SELECT to_tsvector('simple', x::text) FROM (${sql}) AS x $q$)`,
  ),
  committing('dblink', ANY, (sql) => `CREATE EXTENSION dblink; SELECT dblink_exec('{dsn}', ${quoted(sql)})`),
  committing(
    'dblink of pieces',
    ONE,
    (sql, _, random) =>
      `CREATE EXTENSION dblink SCHEMA corpus; SELECT corpus.dblink_exec('{dsn}', ${inPieces(sql, random)})`,
  ),
  committing(
    'dblink for rows',
    ROWS,
    (sql) =>
      `CREATE EXTENSION dblink; SELECT * FROM dblink('{dsn}', ${quoted(`SELECT x::text FROM (${sql}) AS x`)}) AS t (a text)`,
  ),
  committing(
    'tablefunc',
    ROWS,
    (sql) =>
      `CREATE EXTENSION tablefunc; SELECT * FROM crosstab(${quoted(`SELECT '1'::text, 'a'::text, x::text FROM (${sql}) AS x`)}) AS t (a text, b text)`,
  ),
];

/** Makes the server read the following text in another way. */
const SETTINGS: readonly Transform[] = [
  script('backslashes that do not escape', ANY, (sql) => `SELECT '\\'; ${sql}; --'`),
  script('backslashes in EXECUTE', ONE, (sql) =>
    sql.includes("'")
      ? undefined
      : `SET standard_conforming_strings = off; DO $$ BEGIN EXECUTE $b$ SELECT '\\''; ${sql}; --' $b$; END $$`,
  ),
  script('backslashes in a function', ONE, (sql, form) =>
    sql.includes("'") || form.as === 'query'
      ? undefined
      : `SELECT set_config('standard_conforming_' || 'strings', 'off', false); ${sqlFunction(form, `$f$ SELECT '\\''; ${sql}; --' $f$`)}`,
  ),
  script('an encoding', ANY, (sql) => `SET client_encoding = 'LATIN1'; ${sql}`),
  script(
    'an encoding whose letters end in a backslash',
    ANY,
    (sql) => `SET client_encoding = 'SJIS'; SELECT '\u8868'; ${sql}; --'`,
  ),
  script('no encoding', ANY, (sql) => `SET NAMES 'SQL_ASCII'; ${sql}`),
  script('a search path', ANY, (sql) => `SET search_path = vault, public; ${sql}`),
  script(
    'a search path without the catalogue first',
    ANY,
    (sql) => `SET LOCAL search_path TO corpus, public, pg_catalog; ${sql}`,
  ),
  script('replication role', ANY, (sql) => `SET session_replication_role = replica; ${sql}`),
];

export const STRUCTURES: readonly Transform[] = [...SEQUENCES, ...NESTINGS, ...CODE, ...TEXTS, ...SETTINGS];
/** Settings that come too late, because the server parses the whole text first: the act remains a string. */
export const FEINTS: readonly Transform[] = [
  script(
    'backslashes that escape',
    ANY,
    (sql) => `SET standard_conforming_strings = off; SELECT '\\''; ${sql}; --'`,
  ),
  script(
    'backslashes by set_config',
    ANY,
    (sql) => `SELECT set_config('standard_conforming_strings', 'off', false); SELECT '\\''; ${sql}; --'`,
  ),
];

/** Transforms that make very long texts. Only plain forms get them. */
export const LONG: readonly Transform[] = [
  script('300 KiB of comment before', ANY, (sql) => `/*${' filler'.repeat(43_000)}*/ ${sql}`),
  script(
    '300 KiB of statements before',
    ANY,
    (sql) => `${'SELECT 1;'.repeat(500)}${'--'.repeat(150_000)}\n${sql}`,
  ),
];
