import { ANY_TABLE, namesFunction, namesTable, type TableFact } from './facts';

function table(name: string, schema?: string): TableFact {
  return { name, ...(schema === undefined ? {} : { schema }), read: true, write: false };
}

test.each([
  ['the same', table('users', 'app'), { schema: 'app', name: 'users' }, true],
  ['a name without schema may be of any schema', table('users'), { schema: 'app', name: 'users' }, true],
  ['a rule without schema means any schema', table('users', 'app'), { name: 'users' }, true],
  ['another schema', table('users', 'other'), { schema: 'app', name: 'users' }, false],
  ['another table', table('user', 'app'), { name: 'users' }, false],
  ['another spelling in the rule', table('users'), { name: 'Users' }, true],
  ['another spelling in the statement', table('USERS', 'App'), { schema: 'app', name: 'users' }, true],
  ['every table', table(ANY_TABLE), { schema: 'app', name: 'users' }, true],
  ['every table of the schema', table(ANY_TABLE, 'app'), { schema: 'app', name: 'users' }, true],
  ['every table of another schema', table(ANY_TABLE, 'tmp'), { schema: 'app', name: 'users' }, false],
  ['PostgreSQL cuts at 63 bytes', table('a'.repeat(63)), { name: 'a'.repeat(70) }, true],
  ['62 bytes are not cut', table('a'.repeat(62)), { name: 'a'.repeat(63) }, false],
  ['cut at a whole character', table('é'.repeat(31)), { name: 'é'.repeat(40) }, true],
  ['the name as the parser would not give it', table('é'.repeat(40)), { name: 'é'.repeat(31) }, true],
])('tables: %s', (_, fact, wanted, expected) => {
  expect(namesTable(fact, wanted)).toBe(expected);
});

test.each([
  ['the same', { name: 'pg_read_file' }, { name: 'pg_read_file' }, true],
  ['any schema', { name: 'f' }, { schema: 'pg_catalog', name: 'F' }, true],
  ['another schema', { schema: 'a', name: 'f' }, { schema: 'b', name: 'f' }, false],
  ['another name', { name: 'f' }, { name: 'g' }, false],
  ['a star is no function', { name: '*' }, { name: 'f' }, false],
])('functions: %s', (_, fact, wanted, expected) => {
  expect(namesFunction(fact, wanted)).toBe(expected);
});
