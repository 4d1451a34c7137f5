import { FactCollector } from './fact-collector';
import type { StatementFacts } from './facts';
import { collectFacts } from './tree-walk';

/**
 * Collects the facts of a tree. The trees here have nodes that no current PostgreSQL has. An unknown node
 * must neither hide its children nor look harmless.
 */
function factsOf(tree: unknown): StatementFacts {
  const facts = new FactCollector();
  collectFacts(tree, facts, new Set(), () => ({}));
  return facts.finish(0, 0);
}

test('a statement of a later version counts as other, and with what it holds', () => {
  const inner = { DeleteStmt: { relation: { relname: 't' } } };
  const tree = { WaitStmt: { plan: [{ List: { items: [{ NewNode: { deep: { deeper: inner } } }] } }] } };
  expect(factsOf(tree)).toMatchObject({
    kinds: ['delete', 'other'],
    withoutWhere: true,
    tables: [{ name: 't', read: true, write: true }],
  });
});

test('a relation below an unknown node of a query is read, below one of a statement read and written', () => {
  const relation = { NewNode: { source: { schemaname: 's', relname: 't' } } };
  expect(factsOf({ SelectStmt: { fromClause: [relation] } }).tables).toEqual([
    { schema: 's', name: 't', read: true, write: false },
  ]);
  expect(factsOf({ NewStmt: { target: relation } }).tables).toEqual([
    { schema: 's', name: 't', read: true, write: true },
  ]);
});

test('a call is found below an unknown node', () => {
  const tree = {
    SelectStmt: { x: { NewExpr: { y: { FuncCall: { funcname: [{ String: { sval: 'f' } }] } } } } },
  };
  expect(factsOf(tree).functions).toEqual([{ name: 'f' }]);
});

test.each([[{}], [undefined], [null], [[]], [{ NewThing: {} }]])('%j is other, never harmless', (tree) => {
  expect(factsOf(tree).kinds).toEqual(['other']);
});
