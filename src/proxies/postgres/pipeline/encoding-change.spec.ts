import { encodingChange, refusedBinding } from './encoding-change';

const bound = (...texts: (string | null)[]) =>
  texts.map((text) => ({ bytes: text === null ? null : Buffer.from(text), isBinary: false }));

describe('encodingChange', () => {
  it.each([
    ['SET client_encoding TO LATIN1', 'latin1'],
    ["set session CLIENT_encoding = 'SJIS'", 'SJIS'],
    ['SET LOCAL client_encoding TO "LATIN1"', 'LATIN1'],
    ['/* x */ SET -- y\n "client_encoding" TO latin1;', 'latin1'],
    ['SET "Client_Encoding" TO latin1', 'latin1'],
    [`SET U&"cl\\0069ent_encoding" TO E'\\x4cATIN1'`, 'LATIN1'],
    ["SET NAMES 'LATIN1'", 'LATIN1'],
    ['SET client_encoding TO SQL_ASCII', 'sql_ascii'],
    ['SELECT 1; BEGIN; SET client_encoding TO latin1; COMMIT', 'latin1'],
    ["SELECT set_config('client_encoding', 'LATIN1', false)", 'LATIN1'],
    [`SELECT "pg_catalog".set_config ('CLIENT_ENCODING'::text, $$EUC_JP$$ :: text, true)`, 'EUC_JP'],
    ["PREPARE p AS SELECT set_config('client_encoding', 'LATIN1', false)", 'LATIN1'],
  ])('%s is refused', (sql, encoding) => {
    const { refused } = encodingChange(sql);
    expect(refused).toEqual({ code: '0A000', message: expect.stringContaining(`set to ${encoding}:`) });
  });

  it.each([
    'SET client_encoding TO UTF8',
    "SET client_encoding = 'utf-8'",
    "SET NAMES 'Unicode'",
    'SET NAMES DEFAULT; SET NAMES',
    'SET client_encoding TO DEFAULT',
    'RESET client_encoding',
    'SHOW client_encoding',
    'SET names_of_mine TO x; SELECT names FROM t',
    "SELECT 'SET client_encoding TO latin1'",
    "SELECT set_config('work_mem', '4MB', false)",
    "SELECT set_config('client_encoding', 'UTF8', false)",
    'ALTER ROLE r SET client_encoding TO latin1',
    "CREATE FUNCTION f() RETURNS int SET client_encoding TO latin1 AS 'select 1' LANGUAGE sql",
    `SET client_encoding TO latin1${' '.repeat(40_000)}`,
    'SET',
    'SET client_encoding',
    'SELECT set_config(',
  ])('%.80s is none', (sql) => {
    expect(encodingChange(sql)).toEqual({ refused: undefined, calls: [] });
  });

  it.each<[string, (string | null)[], string | undefined]>([
    ['SELECT set_config($1, $2, false)', ['client_encoding', 'LATIN1'], 'LATIN1'],
    ['SELECT set_config($2::text, $1::text, $3)', ['LATIN1', 'Client_Encoding', 'f'], 'LATIN1'],
    ["SELECT set_config('client_encoding', $1, false)", ['latin-1'], 'latin-1'],
    ["SELECT set_config($1, 'SJIS', false)", ['client_encoding'], 'SJIS'],
    ['SELECT set_config($1, $2, false)', ['client_encoding', 'utf8'], undefined],
    ['SELECT set_config($1, $2, false)', ['work_mem', 'LATIN1'], undefined],
    ['SELECT set_config($1, $2, false)', [null, 'LATIN1'], undefined],
    ['SELECT set_config($1, $2, false)', [], undefined],
  ])('%s with %j is known when values are bound', (sql, values, encoding) => {
    const { refused, calls } = encodingChange(sql);
    expect(refused).toBeUndefined();
    const message = refusedBinding(calls, bound(...values))?.message;
    if (encoding === undefined) expect(message).toBeUndefined();
    else expect(message).toContain(`set to ${encoding}:`);
  });
});
