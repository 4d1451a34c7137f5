import type { Draw } from './draw';
import type { Kind } from './values';

/**
 * An SQL statement with the types of its parameters. Its result is the same in each run, so the statement
 * uses no clock and no object ids.
 */
export interface Statement {
  readonly sql: string;
  readonly kinds: readonly Kind[];
}

const COLUMNS = 'id, name, amount, at, tags, data, raw, ratio';

/** Statements with parameters, for the extended protocol only. */
export const PREPARED: readonly Statement[] = [
  { sql: 'SELECT $1::int4 + 1 AS next', kinds: ['int4'] },
  { sql: 'SELECT $1::text AS one, $2::text AS "two words"', kinds: ['text', 'text'] },
  { sql: 'SELECT $1', kinds: ['text'] },
  { sql: `SELECT ${COLUMNS} FROM items WHERE id <= $1 ORDER BY id`, kinds: ['small'] },
  { sql: 'SELECT * FROM items ORDER BY id LIMIT $1', kinds: ['int8'] },
  { sql: 'INSERT INTO notes (body) VALUES ($1) RETURNING id, body', kinds: ['text'] },
  { sql: 'INSERT INTO notes (id, body) VALUES ($1, $2)', kinds: ['small', 'text'] },
  { sql: 'UPDATE items SET name = $1 WHERE id = $2 RETURNING id, name', kinds: ['text', 'small'] },
  { sql: 'UPDATE items SET amount = $1, data = $2 WHERE id < 3', kinds: ['numeric', 'jsonb'] },
  { sql: 'DELETE FROM notes WHERE id = $1', kinds: ['small'] },
  { sql: 'SELECT 100 / $1::int4 AS share', kinds: ['small'] },
  { sql: 'SELECT generate_series(1, $1::int4) AS n', kinds: ['small'] },
  { sql: 'SELECT 10 / (n - 7) FROM generate_series(1, $1::int4) AS n', kinds: ['small'] },
  { sql: "SELECT $1::jsonb -> 'a' AS inner, $1", kinds: ['jsonb'] },
  { sql: 'SELECT $1::bytea, length($1)', kinds: ['bytea'] },
  { sql: 'SELECT $1::float8 * 2, $2::bool', kinds: ['float8', 'bool'] },
  { sql: 'SELECT $1::timestamptz, $2::numeric / 3', kinds: ['timestamptz', 'numeric'] },
  { sql: 'SELECT $1::mood', kinds: ['mood'] },
  { sql: 'SELECT $1::int4[]', kinds: ['ints'] },
  { sql: 'SELECT FROM items WHERE id < $1', kinds: ['small'] },
  { sql: 'SELECT length($1::text) AS length, md5($1)', kinds: ['long'] },
  { sql: 'SELECT $1::text AS back', kinds: ['long'] },
  { sql: 'SELECT noisy($1)', kinds: ['small'] },
];

/** Statements without parameters, for both protocols. */
export const PLAIN: readonly string[] = [
  'SELECT 1',
  "SELECT 'text' AS t, NULL AS nothing, 1.50 AS n",
  `SELECT ${COLUMNS} FROM items ORDER BY id`,
  'SELECT FROM generate_series(1, 3)',
  'SELECT',
  'SELECT count(*) FROM notes',
  'TABLE fixed',
  "VALUES (1, 'x'), (2, NULL), (3, 'Grüße 🚀')",
  "INSERT INTO notes (body) VALUES ('one'), ('two') RETURNING id",
  "INSERT INTO notes (body) SELECT 'many ' || n FROM generate_series(1, 20) AS n",
  "UPDATE items SET name = name || '!' WHERE id % 2 = 0",
  'UPDATE items SET ratio = NULL RETURNING id',
  'DELETE FROM notes WHERE id > 2',
  'WITH gone AS (DELETE FROM notes WHERE id = 1 RETURNING *) SELECT id, body FROM gone',
  'MERGE INTO notes USING fixed ON notes.id = fixed.a WHEN MATCHED THEN UPDATE SET score = fixed.a',
  'SHOW TimeZone',
  '/* a comment */ SELECT 2 -- and another',
  'SELECT $$dollar; quoted$$, E\'escaped\\n\', U&"id" FROM items ORDER BY id LIMIT 2',
  'SELECT \'한국어\' AS "ключ"',
  'SELECT i, md5(i::text) FROM generate_series(1, 300) AS i',
  'CREATE TEMP TABLE IF NOT EXISTS scratch (x int)',
  'INSERT INTO scratch SELECT generate_series(1, 4)',
  'SELECT x + 0 AS x FROM scratch',
  'DROP TABLE IF EXISTS scratch',
  'LOCK TABLE notes IN ROW SHARE MODE',
];

/** Statements that a server refuses, at different stages: parsing, name lookup, planning, execution. */
export const FAULTY: readonly string[] = [
  'SELEC 1',
  "SELECT 'open quote",
  'SELECT missing FROM items',
  'SELECT * FROM missing',
  'SELECT 1 / 0',
  'SELECT 1 / (3 - n) FROM generate_series(1, 5) AS n',
  "SELECT 'x'::int",
  'INSERT INTO items (id, name) VALUES (1, NULL)',
  "INSERT INTO items (id, name) VALUES (1, 'twice')",
  "INSERT INTO notes (body) VALUES (repeat('long', 30000))",
  'DROP TABLE missing',
  'SELECT noisy(2), 1 / 0',
  'FETCH 1 FROM missing',
  'DEALLOCATE missing',
];

export const TRANSACTION: readonly string[] = [
  'BEGIN',
  'BEGIN',
  'START TRANSACTION ISOLATION LEVEL SERIALIZABLE READ ONLY',
  'COMMIT',
  'COMMIT',
  'ROLLBACK',
  'END',
  'COMMIT AND CHAIN',
  'SAVEPOINT a',
  'SAVEPOINT a',
  'ROLLBACK TO SAVEPOINT a',
  'RELEASE SAVEPOINT a',
];

export const CURSORS: readonly string[] = [
  'DECLARE c CURSOR FOR SELECT id, name FROM items ORDER BY id',
  'DECLARE c SCROLL CURSOR WITH HOLD FOR SELECT a, b FROM fixed ORDER BY a',
  'DECLARE d BINARY CURSOR FOR SELECT id, ratio, at FROM items ORDER BY id',
  'FETCH 3 FROM c',
  'FETCH ALL FROM c',
  'FETCH BACKWARD 2 FROM c',
  'FETCH 2 FROM d',
  'MOVE 2 IN c',
  'MOVE ALL IN d',
  'CLOSE c',
  'CLOSE ALL',
];

export const NOTIFICATIONS: readonly string[] = [
  'LISTEN news',
  'LISTEN "Other News"',
  "NOTIFY news, 'to myself'",
  'NOTIFY news',
  "SELECT pg_notify('news', 'number ' || n) FROM generate_series(1, 3) AS n",
  'NOTIFY "Other News", \'Grüße\'',
  'UNLISTEN news',
  'UNLISTEN *',
];

export const NOTICES: readonly string[] = [
  "DO $$ BEGIN RAISE NOTICE 'one'; RAISE WARNING 'two' USING ERRCODE = '01234'; END $$",
  "DO $$ BEGIN FOR i IN 1..20 LOOP RAISE NOTICE 'many %', i; END LOOP; END $$",
  "DO $$ BEGIN RAISE NOTICE '%', repeat('long ', 5000); END $$",
  "DO $$ BEGIN RAISE NOTICE 'before'; RAISE EXCEPTION 'custom' USING ERRCODE = 'P4711', DETAIL = 'd', HINT = 'h'; END $$",
  "DO $$ BEGIN RAISE INFO 'always'; PERFORM 1 / 0; EXCEPTION WHEN division_by_zero THEN RAISE NOTICE 'caught'; END $$",
  'SELECT noisy(5)',
  'SELECT n, noisy(n % 3), md5(n::text) FROM generate_series(1, 60) AS n',
  "SELECT noisy(1), repeat('wide ', 3000) FROM generate_series(1, 20) AS n",
  'SELECT noisy(1), 10 / (n - 25) FROM generate_series(1, 40) AS n',
  'SELECT FROM generate_series(1, 5) AS n WHERE noisy(n) > 0',
];

export const SETTINGS: readonly string[] = [
  "SET TimeZone TO 'Asia/Tokyo'",
  "SET TIME ZONE 'America/New_York'",
  "SET LOCAL TimeZone TO 'UTC'",
  "SET application_name TO 'wire test'",
  "SET application_name TO 'Grüße'",
  // Leaves out the DateStyle German. With it, a gateway with rules refuses a time in binary form if it does
  // not know the abbreviation of the time zone.
  "SET DateStyle TO 'ISO, DMY'",
  "SET IntervalStyle TO 'iso_8601'",
  "SET client_min_messages TO 'warning'",
  'SET extra_float_digits TO 0',
  "SET bytea_output TO 'escape'",
  "SET client_encoding TO 'UTF8'",
  "SELECT set_config('application_name', 'by function', false)",
  'RESET ALL',
  "SET no_such_setting TO 'x'",
  "SET TimeZone TO 'Nowhere'",
];

export const LARGE_OBJECTS: readonly string[] = [
  'SELECT lo_create(4711)',
  "SELECT lo_from_bytea(4712, 'large object'::bytea)",
  "SELECT lo_put(4711, 3, '\\x00010203'::bytea)",
  'SELECT lo_get(4712)',
  'SELECT lo_get(4711, 1, 4)',
  'SELECT lo_open(4712, 393216)',
  'SELECT loread(0, 5)',
  "SELECT lowrite(0, 'written')",
  'SELECT lo_lseek(0, 0, 0), lo_tell(0)',
  'SELECT lo_close(0)',
  'SELECT lo_unlink(4711)',
  "SELECT lo_from_bytea(4713, decode(repeat('ab', 200000), 'hex')), length(lo_get(4713))",
];

export const SQL_PREPARED: readonly string[] = [
  'PREPARE q AS SELECT $1::int + 1',
  'PREPARE q (text) AS SELECT $1, length($1)',
  'EXECUTE q (5)',
  "EXECUTE q ('text')",
  'DEALLOCATE q',
  'DEALLOCATE ALL',
];

/** Draws a statement whose result has rows and columns that fill many packets. */
export function drawBig(draw: Draw): string {
  const size = draw.pick([8_191, 65_536, 100_000, 300_000, 1_000_000]);
  return draw.pick([
    `SELECT repeat('x', ${size}) AS big`,
    `SELECT n, repeat('日本', ${Math.floor(size / 24)}) AS big FROM generate_series(1, 3) AS n`,
    `SELECT n, md5(n::text), NULL AS nothing FROM generate_series(1, ${Math.floor(size / 100)}) AS n`,
    `SELECT ${draw.times(200, (index) => `n * ${index} AS column_${index}`).join(', ')} FROM generate_series(1, 20) AS n`,
    // A result with the maximum number of columns of a table, then a result without columns.
    `SELECT ${draw.times(1_600, (index) => (index % 7 === 0 ? 'NULL' : `n + ${index}`)).join(', ')} FROM generate_series(1, 3) AS n`,
    `SELECT FROM generate_series(1, ${Math.floor(size / 50)})`,
    `SELECT decode(repeat('00ff', ${Math.floor(size / 2)}), 'hex') AS bytes`,
    `SELECT '${'literal '.repeat(Math.floor(size / 10))}' AS long_text`,
  ]);
}
