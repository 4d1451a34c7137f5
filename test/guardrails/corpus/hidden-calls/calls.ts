import type { RuleEntry } from '../../../../src/guardrails/entries/rule-entry';
import type { StatementKind } from '../../../../src/languages/postgresql/facts/statement-kinds';
import { reads, statement } from '../intent';

/** A function whose call does what a rule forbids, with arguments that cause this effect. */
export interface HiddenCall {
  readonly name: string;
  readonly schema: 'pg_catalog' | 'public';
  /** Arguments before and after the decisive argument. */
  readonly before: readonly string[];
  readonly after: readonly string[];
  /** The decisive argument: its expression and its type. */
  readonly given: string;
  readonly type: string;
  /** Names of all arguments; undefined if the arguments have no names. */
  readonly names?: readonly string[];
  /** Column definition list, for functions that require it. */
  readonly columns?: string;
  readonly isVariadic?: true;
  /** Types of the arguments, in the form that ALTER FUNCTION requires. */
  readonly signature: string;
  readonly rule: RuleEntry;
  /** SQL that runs before the call in the same transaction. No rules judge it. */
  readonly prelude: string;
  /** Proof of an effect other than a read of `secrets`: a query for a boolean, or a text in the output. */
  readonly probe?: string;
  readonly output?: string;
}

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;
const THE_SECRET = 'SELECT token FROM secrets';
const CONNECTED = `SELECT dblink_connect('{dsn}')`;

type Details = Partial<HiddenCall>;

/** Describes a function of PostgreSQL with a text argument. */
function builtIn(name: string, text: string, more: Details = {}): HiddenCall {
  const given = literal(text);
  const base = { name, schema: 'pg_catalog', before: [], after: [], given, type: 'text' } as const;
  return { ...base, signature: 'text', rule: reads('secrets'), prelude: '', ...more };
}

const ofPublic = (name: string, text: string, more: Details = {}): HiddenCall =>
  builtIn(name, text, { schema: 'public', ...more });

const XML = ['true', 'true', `''`];
const XML_NAMES = ['nulls', 'tableforest', 'targetns'];
const VECTORS = 'SELECT to_tsvector(token) FROM secrets';

function xmlOf(family: string, given: string, type: string, names: readonly string[], before: string[] = []) {
  return ['', '_and_xmlschema', 'schema']
    .map((end) => (end === 'schema' ? `${family}schema` : `${family}${end}`))
    .filter((name) => family !== 'cursor_to_xml' || !name.includes('_and_'))
    .map((name) => ({
      ...builtIn(name, '', { before, after: XML, names: [...names, ...XML_NAMES] }),
      given,
      type,
      signature: [type, ...before.map(() => 'int'), 'boolean', 'boolean', 'text'].join(', '),
    }));
}

/** Functions that run SQL from their argument, or read relations that their argument names. */
const HIDING: readonly HiddenCall[] = [
  ...xmlOf('query_to_xml', literal(THE_SECRET), 'text', ['query']).filter(
    // Excludes this function, because it only describes the columns.
    ({ name }) => name !== 'query_to_xmlschema',
  ),
  ...xmlOf('table_to_xml', `'secrets'`, 'regclass', ['tbl']).filter(
    ({ name }) => name !== 'table_to_xmlschema',
  ),
  ...xmlOf('schema_to_xml', `'public'`, 'name', ['schema']).filter(
    ({ name }) => name !== 'schema_to_xmlschema',
  ),
  builtIn('database_to_xml', '', {
    given: 'true',
    type: 'boolean',
    after: ['true', `''`],
    names: XML_NAMES,
    signature: 'boolean, boolean, text',
  }),
  builtIn('cursor_to_xml', '', {
    given: `'c'`,
    type: 'refcursor',
    after: ['10', 'true', 'true', `''`],
    names: ['cursor', 'count', ...XML_NAMES],
    signature: 'refcursor, int, boolean, boolean, text',
    prelude: 'DECLARE c CURSOR FOR SELECT token FROM secrets',
  }),
  builtIn('ts_stat', VECTORS, { names: ['query'] }),
  builtIn('ts_stat', VECTORS, { after: [`'a'`], names: ['query', 'weights'], signature: 'text, text' }),
  builtIn('ts_rewrite', `SELECT token::tsquery, token::tsquery FROM secrets`, {
    before: [`'a'::tsquery`],
    signature: 'tsquery, text',
  }),
  ofPublic('dblink', THE_SECRET, { columns: 'a text', prelude: CONNECTED }),
  ofPublic('dblink', THE_SECRET, {
    before: [`'{dsn}'`],
    columns: 'a text',
    signature: 'text, text',
  }),
  ofPublic('dblink_exec', `DO 'BEGIN PERFORM token FROM secrets; END'`, { prelude: CONNECTED }),
  ofPublic('crosstab', `SELECT token, token, token FROM secrets`, { columns: 'a text, b text' }),
  ofPublic('crosstab', `SELECT token, token, token FROM secrets`, {
    after: ['1'],
    columns: 'a text, b text',
    signature: 'text, int',
  }),
  ofPublic('crosstab2', `SELECT token, token, token FROM secrets`),
  ofPublic('connectby', 'secrets', {
    after: [`'token'`, `'owner'`, `'root'`, '1'],
    columns: 'a text, b text, c int',
    signature: 'text, text, text, text, int',
  }),
  ofPublic('xpath_table', 'secrets', {
    before: [`'id'`, `'token'`],
    after: [`'/a'`, `'true'`],
    columns: 'a int, b text',
    signature: 'text, text, text, text, text',
  }),
  // Helpers that people often define in a database, with EXECUTE in PL/pgSQL.
  ofPublic('exec_sql', THE_SECRET, { names: ['a'] }),
  ofPublic('execute', THE_SECRET, { names: ['a'] }),
  ofPublic('eval', THE_SECRET, { after: [`'x'`], names: ['a', 'b'], signature: 'text, text' }),
  ofPublic('eval', THE_SECRET, { names: ['a'], signature: 'text, text' }),
  ofPublic('run_query', THE_SECRET, { names: ['a'], isVariadic: true, signature: 'text[]' }),
];

const kind = (name: StatementKind, call: HiddenCall): HiddenCall => ({
  ...call,
  rule: statement({ kinds: [name] }),
});

const LARGE_OBJECT = `SELECT EXISTS (SELECT FROM pg_largeobject_metadata WHERE oid = 4712)`;
const MADE = 'SELECT lo_create(4711)';
const LOCKED = `SELECT EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid())`;
const big = (name: string): HiddenCall =>
  kind('lock', builtIn(name, '', { given: '4711', type: 'bigint', signature: 'bigint', probe: LOCKED }));

/** Functions with the effect of a statement kind, such as `drop`. */
const DOING: readonly HiddenCall[] = [
  kind(
    'show',
    builtIn('current_setting', 'my.flag', { prelude: `SET LOCAL my.flag = 'SH0WN'`, output: 'SH0WN' }),
  ),
  kind(
    'set',
    builtIn('set_config', 'my.other', {
      after: [`'on'`, 'false'],
      names: ['setting_name', 'new_value', 'is_local'],
      signature: 'text, text, boolean',
      probe: `SELECT coalesce(current_setting('my.other', true), '') = 'on'`,
    }),
  ),
  kind(
    'create',
    builtIn('lo_create', '', { given: '4712', type: 'oid', signature: 'oid', probe: LARGE_OBJECT }),
  ),
  kind(
    'insert',
    builtIn('lo_from_bytea', '', {
      given: '4712',
      type: 'oid',
      after: [`'x'`],
      signature: 'oid, bytea',
      probe: LARGE_OBJECT,
    }),
  ),
  kind(
    'drop',
    builtIn('lo_unlink', '', {
      given: '4711',
      type: 'oid',
      signature: 'oid',
      prelude: MADE,
      probe: 'SELECT NOT EXISTS (SELECT FROM pg_largeobject_metadata WHERE oid = 4711)',
    }),
  ),
  kind(
    'update',
    builtIn('lo_put', '', {
      given: '4711',
      type: 'oid',
      after: ['0', `'x'`],
      signature: 'oid, bigint, bytea',
      prelude: MADE,
      probe: `SELECT lo_get(4711) = 'x'`,
    }),
  ),
  ...['', 'try_'].flatMap((attempt) =>
    ['', 'xact_'].flatMap((span) =>
      ['', '_shared'].map((mode) => big(`pg_${attempt}advisory_${span}lock${mode}`)),
    ),
  ),
  kind(
    'alter',
    builtIn('setval', '', {
      given: `'counter'`,
      type: 'regclass',
      after: ['42'],
      signature: 'regclass, bigint',
      probe: 'SELECT last_value = 42 FROM counter',
    }),
  ),
  kind('copy_file', builtIn('pg_read_file', 'postgresql.auto.conf', { output: 'Do not edit this file' })),
];

export const HIDDEN_CALLS: readonly HiddenCall[] = [...HIDING, ...DOING];
