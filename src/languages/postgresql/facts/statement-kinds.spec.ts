import { readFileSync } from 'node:fs';
import { kindsOfNode, STATEMENT_KINDS } from './statement-kinds';

/** Every statement node the installed parser can produce, from the declarations it ships with. */
const declarations = readFileSync(require.resolve('@pgsql/types/types.d.ts'), 'utf8');
const nodes = [...declarations.matchAll(/export interface (\w+Stmt) /g)].map((match) => match[1] ?? '');

test('the declarations were read', () => {
  expect(nodes.length).toBeGreaterThan(100);
});

test.each(nodes.filter((node) => node !== 'TransactionStmt'))('%s has a kind of its own', (node) => {
  expect(kindsOfNode(node, {})).not.toContain('other');
});

test('every kind of a transaction statement is known', () => {
  const enums = readFileSync(require.resolve('@pgsql/types/enums.d.ts'), 'utf8');
  const kinds = [...enums.matchAll(/"(TRANS_STMT_\w+)"/g)].map((match) => match[1] ?? '');
  expect(kinds.length).toBeGreaterThan(9);
  for (const kind of kinds) expect(kindsOfNode('TransactionStmt', { kind })).not.toContain('other');
});

test('a statement of a later PostgreSQL is never nothing', () => {
  expect(kindsOfNode('WaitStmt', {})).toEqual(['other']);
  expect(kindsOfNode('DropPropGraphStmt', {})).toEqual(['drop']);
});

test('no word stands twice in the vocabulary', () => {
  expect(new Set(STATEMENT_KINDS).size).toBe(STATEMENT_KINDS.length);
});
