import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { moduleOf } from './module-of';

/** A statement, or a use of an entity, that names a table of another module. */
export interface ForeignTable {
  /** Path below `src`. */
  readonly file: string;
  readonly line: number;
  readonly table: string;
  readonly owner: string;
}

/** The owner module of each table, by the diagram in src/platform/database/README.md. */
export function tableOwners(readme: string): Map<string, string> {
  const diagram = /```mermaid\nflowchart LR\n([\s\S]*?)```/.exec(readme)?.[1] ?? '';
  const owners = new Map<string, string>();
  for (const [, module = '', body = ''] of diagram.matchAll(/subgraph ([\w-]+)\n([\s\S]*?)\n {2}end/g)) {
    for (const [, id = '', label] of body.matchAll(/^ +(\w+)(?:\[(\w+)\])?/gm)) {
      const table = label ?? id;
      // A diagram node without a label only refers to a table whose label is on another line.
      if (label === undefined && id.endsWith('_rows')) continue;
      owners.set(table, module);
    }
  }
  return owners;
}

/** All sources below `src` except migrations and specs. */
export function sourceFiles(root: string): string[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !file.endsWith('.spec.ts') && !file.includes('migrations/'),
  );
}

/**
 * Tables of other modules that the SQL of a file names, and entities of other
 * modules that it imports as values.
 */
export function foreignTables(
  root: string,
  file: string,
  owners: ReadonlyMap<string, string>,
  text = readFileSync(join(root, file), 'utf8'),
): ForeignTable[] {
  const module = moduleOf(file);
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found = new Map<string, ForeignTable>();
  const note = (table: string, at: number): void => {
    const owner = owners.get(table);
    if (owner === undefined || owner === module) return;
    const { line } = source.getLineAndCharacterOfPosition(at);
    found.set(`${line} ${table}`, { file, line: line + 1, table, owner });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) {
      for (const table of importedEntities(root, file, node)) note(table, node.getStart());
      return;
    }
    if (ts.isStringLiteralLike(node) && namesTable(node)) note(node.text, node.getStart());
    else if (
      ts.isStringLiteralLike(node) ||
      ts.isTemplateHead(node) ||
      ts.isTemplateMiddleOrTemplateTail(node)
    ) {
      for (const { table, index } of tablesIn(node.text, owners)) note(table, node.getStart() + 1 + index);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return [...found.values()];
}

/**
 * Whether a string is only the name of a table, to be used in SQL elsewhere. A name without `_` counts only
 * in `table: 'reviews'`, because API resources have such names too. Comparisons and arguments of
 * `@AnsweredFromMemory` do not count, because their names belong to the change feed.
 */
function namesTable(node: ts.StringLiteralLike): boolean {
  const { parent } = node;
  if (ts.isBinaryExpression(parent) || ts.isImportDeclaration(parent)) return false;
  if (ts.isCallExpression(parent) && parent.expression.getText() === 'AnsweredFromMemory') return false;
  if (ts.isPropertyAssignment(parent) && parent.name.getText() === 'table') return true;
  return /^[a-z]+(_[a-z]+)+$/.test(node.text);
}

/** Tables that SQL names after FROM, JOIN, UPDATE and similar words. */
function tablesIn(text: string, owners: ReadonlyMap<string, string>): { table: string; index: number }[] {
  const tables = [...owners.keys()].join('|');
  const found: { table: string; index: number }[] = [];
  const isSql = /\b(?:SELECT|INSERT INTO|UPDATE|DELETE FROM|FROM|JOIN|LOCK TABLE|TRUNCATE)\b/.test(text);
  if (isSql) {
    const named = new RegExp(
      `\\b(?:FROM|JOIN|UPDATE|INTO|TABLE|ONLY|TRUNCATE)\\s+(?:ONLY\\s+)?(?:public\\.)?"?(${tables})\\b`,
      'g',
    );
    for (const match of text.matchAll(named)) found.push({ table: match[1] ?? '', index: match.index });
  }
  return found;
}

/** Returns the tables of the entities that an import imports as values; a type import does not count. */
function importedEntities(root: string, file: string, node: ts.ImportDeclaration): string[] {
  const { importClause, moduleSpecifier } = node;
  if (importClause === undefined || importClause.isTypeOnly || !ts.isStringLiteral(moduleSpecifier))
    return [];
  if (!moduleSpecifier.text.endsWith('.entity') || importClause.namedBindings === undefined) return [];
  if (!ts.isNamedImports(importClause.namedBindings)) return [];
  const path = join(root, file, '..', `${moduleSpecifier.text}.ts`);
  const tables = new Map(
    [...readFileSync(path, 'utf8').matchAll(/@Entity\('(\w+)'\)\s*export class (\w+)/g)].map(
      ([, table = '', name = '']) => [name, table],
    ),
  );
  return importClause.namedBindings.elements
    .filter(({ isTypeOnly }) => !isTypeOnly)
    .flatMap(({ name }) => tables.get(name.text) ?? []);
}
