import type { HiddenCall } from './calls';

/** An expression that calls the function, and the statements that must precede it. */
export interface Reached {
  readonly expression: string;
  readonly before?: string;
}

/** A way to call a function in PostgreSQL. */
export interface Reach {
  readonly name: string;
  /** Returns undefined if the function cannot be called in this way. */
  readonly of: (call: HiddenCall) => Reached | undefined;
}

const given = ({ given, type }: HiddenCall): string => `${given}::${type}`;
const escaped = (name: string): string =>
  `U&"${[...name].map((letter) => `\\${letter.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')}"`;
const rows = (columns: string | undefined): string => (columns === undefined ? '' : `(${columns})`);

function listed(call: HiddenCall, value: string): string {
  return [...call.before, value, ...call.after].join(', ');
}

function called(call: HiddenCall, value = given(call), name = call.name): string {
  return `${name}(${listed(call, value)})`;
}

const one = (call: HiddenCall): boolean => call.before.length + call.after.length === 0;
const isText = (call: HiddenCall): boolean => call.type === 'text';

const expression = (name: string, of: (call: HiddenCall) => string): Reach => ({
  name,
  of: (call) => ({ expression: of(call) }),
});

/** Calls the function in FROM, and reduces any result to one value. */
const fromRows = (name: string, from: (call: HiddenCall) => string | undefined): Reach => ({
  name,
  of: (call) => {
    const source = from(call);
    return source === undefined ? undefined : { expression: `(SELECT min(r::text) FROM ${source})` };
  },
});

/** Calls the function in the notation of a column or a field (`x.f`), which requires a single argument. */
const column = (name: string, of: (call: HiddenCall) => string): Reach => ({
  name,
  of: (call) => (one(call) ? { expression: of(call) } : undefined),
});
const aliased = (
  name: string,
  source: (call: HiddenCall) => string,
  written = (f: string) => `x.${f}`,
): Reach => column(name, (call) => `(SELECT min((${written(call.name)})::text) FROM ${source(call)})`);
/** Calls the function without an aggregate, because aggregates refuse set-returning functions. */
const listedColumn = (
  name: string,
  source: (call: HiddenCall) => string,
  written = (f: string) => `x.${f}`,
): Reach => column(name, (call) => `(SELECT ${written(call.name)} FROM ${source(call)} LIMIT 1)::text`);

const unnested = (call: HiddenCall): string => `unnest(ARRAY[${given(call)}]) AS x`;

const wrapped = (
  name: string,
  body: (call: HiddenCall) => string,
  use = `w(%)`,
  applies: (call: HiddenCall) => boolean = () => true,
): Reach => ({
  name,
  of: (call) =>
    applies(call) ? { before: body(call), expression: use.replace('%', () => given(call)) } : undefined,
});

const quotedBody = (sql: string): string => `$w$ ${sql} $w$`;
const sqlFunction = (call: HiddenCall, sql: string): string =>
  `CREATE FUNCTION w(a ${call.type}) RETURNS text LANGUAGE sql ${sql}`;
const selected = (call: HiddenCall, value: string): string =>
  `SELECT min(r::text) FROM ${called(call, value)} AS r${rows(call.columns)}`;

/**
 * Name of the kind of call in which the function is first made IMMUTABLE, as indexes, generated columns and
 * partition keys require.
 */
export const IMMUTABLE = 'said to be immutable';

/** Every way to call a function in PostgreSQL. */
export const REACHES: readonly Reach[] = [
  expression('call', (call) => called(call)),
  expression('with its schema', (call) => called(call, given(call), `${call.schema}.${call.name}`)),
  expression('quoted', (call) => called(call, given(call), `"${call.name}"`)),
  expression('escaped', (call) => called(call, given(call), escaped(call.name))),
  expression('in capitals', (call) => called(call, given(call), call.name.toUpperCase())),
  expression('with a comment', (call) => called(call, given(call), `${call.name}/**/`)),
  {
    name: 'named arguments',
    of: (call) => {
      const values = [...call.before, given(call), ...call.after];
      if (call.names?.length !== values.length || call.isVariadic) return undefined;
      const list = values.map((value, index) => `${call.names?.[index]} => ${value}`).toReversed();
      return { expression: `${call.name}(${list.join(', ')})` };
    },
  },
  {
    name: 'VARIADIC',
    of: (call) =>
      call.isVariadic ? { expression: `${call.name}(VARIADIC ARRAY[${given(call)}])` } : undefined,
  },
  expression('over a window', (call) => `max((${called(call)})::text) OVER (PARTITION BY 1)`),
  fromRows('in FROM', (call) => `${called(call)} AS r${rows(call.columns)}`),
  fromRows(
    'in FROM, with its schema',
    (call) => `${called(call, given(call), `${call.schema}.${call.name}`)} AS r${rows(call.columns)}`,
  ),
  fromRows('ROWS FROM', (call) =>
    call.columns === undefined
      ? `ROWS FROM (${called(call)}, generate_series(1, 2)) AS r`
      : `ROWS FROM (${called(call)} AS (${call.columns}), generate_series(1, 2)) AS r`,
  ),
  fromRows(
    'LATERAL',
    (call) => `(SELECT ${given(call)} AS q) AS s, LATERAL ${called(call, 's.q')} AS r${rows(call.columns)}`,
  ),
  fromRows('WITH ORDINALITY', (call) =>
    call.columns === undefined ? `${called(call)} WITH ORDINALITY AS r` : undefined,
  ),
  aliased('column of unnest', unnested),
  listedColumn('column of unnest, in the list', unnested),
  listedColumn('column of CAST', (call) => `CAST(${call.given} AS ${call.type}) AS x`),
  listedColumn('column of a scalar function', (call) => `coalesce(${given(call)}) AS x`),
  listedColumn('column of a function with a named column', (call) => `unnest(ARRAY[${given(call)}]) AS x(v)`),
  listedColumn(
    'column of a function without a name',
    (call) => `unnest(ARRAY[${given(call)}])`,
    (f) => `unnest.${f}`,
  ),
  listedColumn('column of ROWS FROM', (call) => `ROWS FROM (unnest(ARRAY[${given(call)}])) AS x`),
  listedColumn('column, quoted', unnested, (f) => `x."${f}"`),
  listedColumn('column, escaped', unnested, (f) => `x.${escaped(f)}`),
  listedColumn('column, in capitals', unnested, (f) => `X.${f.toUpperCase()}`),
  listedColumn('column with comments', unnested, (f) => `x/**/./**/${f}`),
  listedColumn('column of an outer row', unnested, (f) => `(SELECT x.${f} LIMIT 1)`),
  listedColumn(
    'column of a correlated row',
    unnested,
    (f) => `(SELECT y.n FROM (SELECT x.${f} AS n LIMIT 1) y)`,
  ),
  listedColumn('field of a row', unnested, (f) => `(x).${f}`),
  column('field of a cast', (call) => `(${given(call)}).${call.name}`),
  column('field of a sub-select', (call) => `((SELECT ${given(call)})).${call.name}`),
  column('field of an element', (call) => `((ARRAY[${given(call)}])[1]).${call.name}`),
  column('field of CASE', (call) => `(CASE WHEN true THEN ${given(call)} END).${call.name}`),
  column(
    'field of a column',
    (call) => `(SELECT (x.v).${call.name} FROM (SELECT ${given(call)}) AS x(v) LIMIT 1)`,
  ),
  {
    name: 'field of a field',
    of: (call) =>
      one(call) && isText(call)
        ? { expression: `((ROW(${given(call)})::holder).t).${call.name}` }
        : undefined,
  },
  wrapped('in a body', (call) => sqlFunction(call, `AS ${quotedBody(selected(call, 'a'))}`)),
  wrapped('in a body, by number', (call) => sqlFunction(call, `AS ${quotedBody(selected(call, '$1'))}`)),
  wrapped('in an atomic body', (call) => sqlFunction(call, `BEGIN ATOMIC ${selected(call, 'a')}; END`)),
  wrapped('in RETURN', (call) => sqlFunction(call, `RETURN (${selected(call, 'a')})`)),
  wrapped(
    'column in a body',
    (call) => sqlFunction(call, `AS ${quotedBody(`SELECT (a.${call.name})::text`)}`),
    'w(%)',
    one,
  ),
  wrapped(
    'column of the function in a body',
    (call) => sqlFunction(call, `AS ${quotedBody(`SELECT (w.a.${call.name})::text`)}`),
    'w(%)',
    one,
  ),
  wrapped(
    'column in RETURN',
    (call) => sqlFunction(call, `RETURN (SELECT a.${call.name} LIMIT 1)::text`),
    'w(%)',
    one,
  ),
  wrapped(
    'column of a parameter that is called as a table is',
    (call) =>
      `CREATE FUNCTION w(notes ${call.type}) RETURNS text LANGUAGE sql AS ${quotedBody(`SELECT (SELECT notes.${call.name} FROM notes LIMIT 1)::text`)}`,
    'w(%)',
    one,
  ),
  wrapped(
    'default of a parameter',
    (call) =>
      `CREATE FUNCTION w(a text DEFAULT (${called(call)})::text) RETURNS text LANGUAGE sql AS 'SELECT a'`,
    'w()',
  ),
  wrapped(
    'in PL/pgSQL',
    (call) =>
      `CREATE FUNCTION w(a ${call.type}) RETURNS text LANGUAGE plpgsql AS ${quotedBody(`BEGIN RETURN (${selected(call, 'a')}); END`)}`,
  ),
  wrapped(
    'in PL/pgSQL, by EXECUTE',
    (call) =>
      `CREATE FUNCTION w(a ${call.type}) RETURNS text LANGUAGE plpgsql AS ${quotedBody(`DECLARE r text; BEGIN EXECUTE 'SEL' || $x$ECT min(r::text) FROM ${called(call, '$1')} AS r${rows(call.columns)}$x$ INTO r USING a; RETURN r; END`)}`,
  ),
  wrapped(
    'prefix operator',
    (call) => `CREATE OPERATOR ## (PROCEDURE = ${call.name}, RIGHTARG = ${call.type})`,
    '## %',
    one,
  ),
  wrapped(
    'operator on a body',
    (call) =>
      `${sqlFunction(call, `AS ${quotedBody(selected(call, 'a'))}`)}; CREATE OPERATOR ## (FUNCTION = w, RIGHTARG = ${call.type})`,
    'OPERATOR(public.##) %',
  ),
  wrapped(
    'aggregate',
    (call) =>
      `CREATE FUNCTION s(s text, a ${call.type}) RETURNS text LANGUAGE sql AS ${quotedBody(selected(call, 'a'))};
       CREATE AGGREGATE w (${call.type}) (SFUNC = s, STYPE = text)`,
  ),
  wrapped(
    'aggregate over a window',
    (call) =>
      `CREATE FUNCTION s(s text, a ${call.type}) RETURNS text LANGUAGE sql AS ${quotedBody(selected(call, 'a'))};
       CREATE AGGREGATE w (${call.type}) (SFUNC = s, STYPE = text, MSFUNC = s, MINVFUNC = s, MSTYPE = text)`,
    'w(%) OVER ()',
  ),
  wrapped(
    'final function',
    (call) =>
      `${sqlFunction(call, `AS ${quotedBody(selected(call, 'a'))}`)};
       CREATE FUNCTION s(s ${call.type}, a ${call.type}) RETURNS ${call.type} LANGUAGE sql AS 'SELECT a';
       CREATE AGGREGATE v (${call.type}) (SFUNC = s, STYPE = ${call.type}, FINALFUNC = w)`,
    'v(%)',
  ),
  wrapped(
    'cast',
    (call) =>
      `CREATE TYPE boxed AS (v ${call.type});
       CREATE FUNCTION w(a boxed) RETURNS text LANGUAGE sql AS ${quotedBody(selected(call, '(a).v'))};
       CREATE CAST (boxed AS text) WITH FUNCTION w(boxed)`,
    'CAST(ROW(%)::boxed AS text)',
  ),
  {
    name: 'cast of a row that is made unasked',
    of: (call) =>
      one(call) && isText(call)
        ? {
            before: `CREATE TABLE boxed AS SELECT 'TABLE/**/secrets'::text AS v; CREATE CAST (boxed AS text) WITH INOUT AS IMPLICIT`,
            expression: `(SELECT boxed.${call.name} FROM boxed LIMIT 1)::text`,
          }
        : undefined,
  },
  wrapped(
    'domain',
    (call) => `CREATE DOMAIN limited AS ${call.type} CHECK ((${called(call, 'VALUE')})::text IS NOT NULL)`,
    '%::limited',
  ),
  wrapped(
    'domain, as a field',
    (call) => `CREATE DOMAIN limited AS ${call.type} CHECK (((VALUE).${call.name})::text IS NOT NULL)`,
    '%::limited',
    one,
  ),
  {
    name: IMMUTABLE,
    of: (call) => ({
      before: `ALTER FUNCTION ${call.schema}.${call.name}(${call.signature}) IMMUTABLE`,
      expression: called(call),
    }),
  },
  {
    name: 'by another name',
    of: (call) => ({
      before: `ALTER FUNCTION ${call.schema}.${call.name}(${call.signature}) RENAME TO harmless`,
      expression: called(call, given(call), 'harmless'),
    }),
  },
  {
    name: 'in another schema',
    of: (call) => ({
      before: `CREATE SCHEMA elsewhere; ALTER FUNCTION ${call.schema}.${call.name}(${call.signature}) SET SCHEMA elsewhere`,
      expression: called(call, given(call), `elsewhere.${call.name}`),
    }),
  },
];
