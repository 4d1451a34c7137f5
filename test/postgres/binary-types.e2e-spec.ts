import * as fc from '../support/fast-check';
import { Unprintable } from '../../src/proxies/postgres/wire/cursor';
import { BUILT_IN_TYPES } from '../../src/proxies/postgres/binary/built-in-types';
import { UnknownType, printValue } from '../../src/proxies/postgres/binary/print-value';
import { styleOf } from '../../src/proxies/postgres/binary/style';
import { type SessionTypes, TypeCatalog } from '../../src/proxies/postgres/binary/type-catalog';
import { typesQuery } from '../../src/proxies/postgres/binary/type-query';
import { columnsOf } from '../../src/proxies/postgres/wire/columns';
import { type Kind, kinds } from '../support/binary-values';
import { type TestDatabase, freshDatabase } from '../support/database';
import { secretOf } from '../support/target';
import { WireClient, cellsOf } from '../support/wire-client';
import * as wire from '../support/wire-messages';
import { volume } from '../support/volume';

const RUNS = volume(20, 60);

/** Types whose binary form is not printed. Under an output rule, a result with one of them is refused. */
const NOT_PRINTED = new Map([
  ['pg_ndistinct', 'statistics of the planner, in a form that changes between versions'],
  ['pg_dependencies', 'statistics of the planner, in a form that changes between versions'],
  ['pg_mcv_list', 'statistics of the planner, in a form that changes between versions'],
  ['pg_brin_bloom_summary', 'the inside of an index'],
  ['pg_brin_minmax_multi_summary', 'the inside of an index'],
  ['pg_ddl_command', 'no value has this type outside of event triggers'],
  ['anyarray', 'no value has this type: it stands for another'],
  ['anycompatiblearray', 'no value has this type: it stands for another'],
]);

/**
 * Types whose binary values the gateway prints differently from the server, because it prints what the client
 * receives in binary form.
 */
const PRINTED_OTHERWISE = new Map([
  ['bytea', 'by its bytes: rules see the text in it, which the client receives'],
  ...[
    'regproc',
    'regprocedure',
    'regoper',
    'regoperator',
    'regclass',
    'regtype',
    'regconfig',
    'regdictionary',
    'regnamespace',
    'regrole',
    'regcollation',
  ].map((name): [string, string] => [name, 'by the number that the client receives, not the name']),
]);

interface PlanNode {
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Join Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}

/** Number of rows that all steps of a plan processed. */
function rowsRead(node: PlanNode): number {
  const dropped = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Join Filter'] ?? 0);
  const own = (node['Actual Rows'] + dropped) * node['Actual Loops'];
  return (node.Plans ?? []).reduce((sum, part) => sum + rowsRead(part), own);
}

describe('binary values of PostgreSQL', () => {
  let target: TestDatabase;
  let client: WireClient;
  let types: SessionTypes;

  beforeAll(async () => {
    target = await freshDatabase('empty');
    await target.query(`
      CREATE EXTENSION hstore; CREATE EXTENSION ltree; CREATE EXTENSION citext; CREATE EXTENSION cube;
      CREATE SCHEMA "o d d";
      CREATE TYPE "o d d".mood AS ENUM ('', 'so "so"', 'glad, {very}', 'null', 'ü');
      CREATE DOMAIN "o d d".card AS numeric(30, 2);
      CREATE DOMAIN "o d d".cards AS "o d d".card[];
      CREATE TYPE "o d d".person AS (name text, "o d d" "o d d".mood, cards "o d d".card[], born date);
      CREATE TYPE "o d d".pair AS ("one" "o d d".person, "other" "o d d".person);
      CREATE TYPE "o d d".words AS RANGE (subtype = text);
      CREATE TYPE "o d d".people AS RANGE (subtype = "o d d".person);
    `);
    client = await WireClient.direct(target);
    types = new TypeCatalog().forSession(secretOf(target));
  });

  afterAll(async () => {
    client.close();
    await target.drop();
  });

  /**
   * Runs a statement with a single row. Returns its cells in the given format, and the types of the columns.
   */
  async function cells(sql: string, values: readonly string[], format: 0 | 1) {
    client.send(
      wire.parse(sql),
      wire.bind(values, { results: [format] }),
      wire.describePortal(),
      wire.execute(),
      wire.SYNC,
    );
    const answers = await client.until('Z');
    const error = answers.find(({ type }) => type === 'E');
    if (error !== undefined) throw new Error(`${sql} ${JSON.stringify(values)}: ${error.body.toString()}`);
    const described = answers.find(({ type }) => type === 'T');
    const columns = described === undefined ? [] : columnsOf(described.body, 0, described.body.length);
    return answers
      .filter(({ type }) => type === 'D')
      .map((row) => ({ type: columns[0]?.type ?? 0, cell: cellsOf(row)[0] ?? null }));
  }

  async function printed(
    oid: number,
    cell: Buffer,
    parameters: ReadonlyMap<string, string>,
  ): Promise<string> {
    for (;;) {
      try {
        return printValue(oid, cell, { types, style: styleOf(parameters) });
      } catch (error) {
        if (!(error instanceof UnknownType)) throw error;
        if ((await types.learn(error.oid)) !== 'known')
          throw new Error(`type ${error.oid} was not learned`, { cause: error });
      }
    }
  }

  /** Compares the server's text of values with the text that the gateway prints for their binary form. */
  async function compare(
    sql: string,
    values: readonly string[],
    parameters: ReadonlyMap<string, string> = new Map(),
  ): Promise<void> {
    const expected = (await cells(sql, values, 0)).map(({ cell }) => cell?.toString() ?? null);
    const shown: (string | null)[] = [];
    for (const { type, cell } of await cells(sql, values, 1))
      shown.push(cell === null ? null : await printed(type, cell, parameters));
    expect(shown).toEqual(expected);
  }

  it('are all known: every type of the catalog is printed, or listed with a reason', async () => {
    const rows = await target.query<{
      oid: string;
      name: string;
      send: string;
      delimiter: string;
      of: string | null;
    }>(`
      SELECT t.oid::text, t.typname AS name, p.prosrc AS send, t.typdelim AS delimiter,
             coalesce(CASE WHEN p.prosrc = 'array_send' THEN t.typelem END, r.rngsubtype, m.rngtypid)::text AS of
      FROM pg_type t JOIN pg_proc p ON p.oid = t.typsend
        LEFT JOIN pg_range r ON r.rngtypid = t.oid LEFT JOIN pg_range m ON m.rngmultitypid = t.oid
      WHERE t.oid < 10000 AND t.typtype <> 'c' AND (t.typelem = 0 OR p.prosrc <> 'array_send' OR
        (SELECT typtype FROM pg_type e WHERE e.oid = t.typelem) <> 'c') ORDER BY t.oid`);
    const isArray = (name: string): boolean => name.startsWith('_');
    // These array types have no binary form, because their element types have none, despite a send function.
    const unsendable = new Set(['_aclitem', '_gtsvector']);
    const missing = rows.filter(({ oid, name, send, delimiter, of }) => {
      if (NOT_PRINTED.has(name) || unsendable.has(name)) return false;
      const known = BUILT_IN_TYPES.get(Number(oid));
      return (
        known === undefined ||
        known.send !== send ||
        known.delimiter !== delimiter ||
        String(known.of ?? null) !== (of ?? 'null')
      );
    });
    expect(missing).toEqual([]);
    const tried = new Set(kinds.map(({ type }) => type));
    const made = /^(record|void|_record|unknown|cstring|pg_node_tree|refcursor)$/;
    const untried = rows.filter(
      ({ name }) =>
        !isArray(name) &&
        !tried.has(name) &&
        !NOT_PRINTED.has(name) &&
        !PRINTED_OTHERWISE.has(name) &&
        !made.test(name),
    );
    expect(untried.map(({ name }) => name)).toEqual([]);
  });

  const listed = (list: fc.Arbitrary<string>) => fc.array(list, { minLength: 1, maxLength: 40 });

  /** Checks a property with many values in one statement, because a round trip for each value takes long. */
  function holds(property: (values: string[]) => Promise<void>, values: fc.Arbitrary<string>): Promise<void> {
    return fc.assert(fc.asyncProperty(listed(values), property), { numRuns: Math.ceil(RUNS / 20) });
  }

  const rows = (type: string, values: readonly string[], shape: (value: string) => string) =>
    values.map((_, index) => `SELECT ${shape(`($${index + 1}::text)::${type}`)}`).join(' UNION ALL ');

  const quotedType = (type: string): string => (type === 'char' ? '"char"' : type);

  describe.each(kinds.map((kind): [string, Kind] => [kind.type, kind]))(
    'of type %s',
    (name, { values, hasArray }) => {
      const type = quotedType(name);

      it('are printed as the server does, alone, in arrays and in records', async () => {
        const shapes: ((value: string) => string)[] = [
          (value) => value,
          (value) => `ROW(${value}, NULL, ROW(${value}, ''))`,
          ...(hasArray === false
            ? []
            : [
                (value: string) => `ARRAY[${value}, NULL, ${value}]`,
                (value: string) => `array_fill(${value}, ARRAY[2, 1, 2], ARRAY[-1, 1, 7])`,
                (value: string) => `ROW(ARRAY[ROW(ARRAY[${value}])])`,
              ]),
        ];
        for (const shape of shapes)
          await holds(async (list) => {
            const sql = rows(type, list, shape);
            await compare(sql, list);
          }, values);
      });
    },
  );

  const times = kinds.filter(({ type }) =>
    /^(date|time|timetz|timestamp|timestamptz|interval|tstzrange)$/.test(type),
  );

  it.each([
    ['ISO, DMY', 'postgres', 'America/New_York'],
    ['ISO, YMD', 'postgres_verbose', 'Australia/Lord_Howe'],
    ['ISO, MDY', 'iso_8601', 'Asia/Kathmandu'],
    ['ISO, MDY', 'sql_standard', '<+05:30>-05:30'],
    ['ISO, MDY', 'postgres', '-02:00'],
    ['ISO, DMY', 'postgres', 'nosuch0'],
    ['ISO, YMD', 'postgres', 'UTC+3'],
    ['ISO, MDY', 'postgres', 'Abc-05:45'],
    ['SQL, DMY', 'postgres', 'UTC'],
    ['SQL, MDY', 'postgres', 'GMT'],
    ['German, DMY', 'postgres', '<-03>+03'],
    ['Postgres, DMY', 'postgres', 'UTC'],
    ['Postgres, MDY', 'postgres', '<+02>-02'],
  ])('follow DateStyle %s, IntervalStyle %s and TimeZone %s', async (dates, intervals, zone) => {
    const parameters = new Map([
      ['DateStyle', dates],
      ['IntervalStyle', intervals],
      ['TimeZone', zone],
    ]);
    for (const [parameter, value] of parameters)
      await client.ask(wire.query(`SET ${parameter} TO '${value}'`));
    const isNamed = !/^(UTC|GMT|<|[a-z]*[+-]?\d)/i.test(zone);
    for (const { type, values } of times) {
      if (isNamed && type.startsWith('t') && type.includes('tz')) continue;
      await holds(
        (list) =>
          compare(
            rows(type, list, (value) => value),
            list,
            parameters,
          ),
        values,
      );
    }
    if (isNamed) {
      // Uses times since 1970, because editions of the time zone data differ about earlier times.
      const since = fc
        .integer({ min: 0, max: 2_051_222_400 })
        .map((seconds) => new Date(seconds * 1000).toISOString());
      await holds(
        (list) =>
          compare(
            rows('timestamptz', list, (value) => value),
            list,
            parameters,
          ),
        since,
      );
    }
    await client.ask(
      wire.query(
        "RESET ALL; SET DateStyle TO 'ISO, MDY'; SET TimeZone TO 'UTC'; SET IntervalStyle TO 'postgres'",
      ),
    );
  });

  it('of time zones that have no lasting abbreviation are printed in the style ISO only', () => {
    const parameters = new Map([
      ['DateStyle', 'German, DMY'],
      ['TimeZone', 'Europe/Berlin'],
    ]);
    const print = () => printValue(1184, Buffer.alloc(8), { types, style: styleOf(parameters) });
    expect(print).toThrow(Unprintable);
  });

  it.each([...PRINTED_OTHERWISE])('of type %s are printed %s', async (type) => {
    if (type === 'bytea') {
      const [row] = await cells("SELECT '4111 \\377 1111'::bytea", [], 1);
      expect(await printed(17, row?.cell as Buffer, new Map())).toBe('4111 \uFFFD 1111');
      return;
    }
    const sample: Record<string, string> = {
      regproc: 'now',
      regprocedure: 'now()',
      regoper: '|/',
      regoperator: '+(int4,int4)',
      regclass: 'pg_class',
      regtype: 'int4',
      regconfig: 'simple',
      regdictionary: 'simple',
      regnamespace: 'public',
      regrole: 'pg_monitor',
      regcollation: '"C"',
    };
    const [row] = await cells(`SELECT '${sample[type] ?? ''}'::${type}`, [], 1);
    const [number] = await target.query<{ oid: string }>(
      `SELECT '${sample[type] ?? ''}'::${type}::oid::text AS oid`,
    );
    expect(await printed(row?.type ?? 0, row?.cell as Buffer, new Map())).toBe(number?.oid);
  });

  it.each([
    `SELECT NULL::int`,
    `SELECT row()`,
    `SELECT 'x'::unknown`,
    `SELECT '{}'::int[]`,
    `SELECT 'a cursor'::refcursor`,
    `SELECT '1 2 3'::int2vector UNION ALL SELECT ''::int2vector`,
    `SELECT '7 8'::oidvector`,
    `SELECT pg_sleep(0)`,
    `SELECT '{(1,2),(3,4);NULL}'::box[]`,
    `SELECT conbin FROM pg_constraint WHERE conbin IS NOT NULL LIMIT 3`,
    `SELECT ARRAY['1', NULL, '2.50']::"o d d".cards`,
    `SELECT m FROM unnest(enum_range(NULL::"o d d".mood)) AS m`,
    `SELECT enum_range(NULL::"o d d".mood)`,
    `SELECT ROW('O''Neill "x"', 'so "so"', '{4111111111111111,NULL}', '2001-02-03')::"o d d".person`,
    `SELECT ARRAY[ROW(NULL, 'null', NULL, NULL), ROW('', '', '{}', '-infinity')]::"o d d".person[]`,
    `SELECT ROW(ROW('a', '', NULL, NULL), NULL)::"o d d".pair`,
    `SELECT "o d d".words('a "b"', 'c,d') UNION ALL SELECT "o d d".words(NULL, '', '()') UNION ALL SELECT 'empty'::"o d d".words`,
    `SELECT range_agg(w) FROM (VALUES ("o d d".words('a', 'b')), ("o d d".words('c', NULL))) AS t (w)`,
    `SELECT "o d d".people(ROW('a', '', NULL, NULL), ROW('b', '', NULL, NULL))`,
    `SELECT '"a \\"b\\"" => "c, d", e => NULL, "" => ""'::hstore`,
    `SELECT ARRAY['a => 1'::hstore, NULL]`,
    `SELECT 'Top.Sub_1'::ltree`,
    `SELECT 'Top.*{1,2}.a|b'::lquery`,
    `SELECT 'a & !b*'::ltxtquery`,
    `SELECT 'CI ü'::citext`,
    `SELECT ARRAY['CI "ü"'::citext]`,
    `SELECT p FROM pg_namespace p LIMIT 0`,
    `SELECT ROW(oid, nspname, nspowner) FROM pg_namespace`,
    `SELECT e FROM pg_enum AS e LIMIT 3`,
    `SELECT c FROM information_schema.sql_features AS c LIMIT 5`,
  ])('print %s as the server does', async (sql) => {
    await compare(sql, []);
  });

  it('of an extension that is not known are not printed', async () => {
    const [row] = await cells("SELECT '(1,2)'::cube", [], 1);
    await expect(printed(row?.type ?? 0, row?.cell as Buffer, new Map())).rejects.toThrow(Unprintable);
  });

  it('that are broken are not printed, whatever their bytes; nothing else is thrown', () => {
    const all = [...BUILT_IN_TYPES.keys()];
    fc.assert(
      fc.property(fc.constantFrom(...all), fc.uint8Array({ maxLength: 80 }), (oid, bytes) => {
        try {
          printValue(oid, Buffer.from(bytes), { types, style: styleOf(new Map()) });
        } catch (error) {
          if (!(error instanceof Unprintable) && !(error instanceof UnknownType)) throw error;
        }
      }),
      { numRuns: RUNS * 100 },
    );
  });

  it('are looked up by the indexes of the catalog, also if the target has many tables', async () => {
    await target.query(`
      DO $$ BEGIN FOR i IN 1..300 LOOP
        EXECUTE format('CREATE TABLE many_%s (a int, b int, c int, d int, e int)', i);
      END LOOP; END $$`);
    const [pair] = await target.query<{ oid: number }>(`SELECT '"o d d".pair[]'::regtype::oid AS oid`);
    const [explained] = await target.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
      `EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ${typesQuery([pair!.oid])}`,
    );
    // The query may read the catalog once, and a few rows for each component type. It must not read the whole
    // catalog for each type.
    const [{ n }] = (await target.query<{ n: number }>('SELECT count(*)::int AS n FROM pg_attribute')) as [
      { n: number },
    ];
    expect(rowsRead(explained!['QUERY PLAN'][0].Plan)).toBeLessThan(4 * n);
  });

  it('print money as the target writes it', async () => {
    await compare(
      'SELECT m::money FROM (VALUES (0), (-0.01), (1234567.89), (-92233720368547758.08)) AS t (m)',
      [],
    );
  });
});
