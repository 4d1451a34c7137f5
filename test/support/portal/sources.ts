import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { ROOT } from '../root';

export const PORTAL_SOURCES = join(ROOT, 'portal', 'src');

/** Every source of the portal, parsed. */
export function portalSources(): readonly ts.SourceFile[] {
  return readdirSync(PORTAL_SOURCES, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => {
      const text = readFileSync(join(PORTAL_SOURCES, file), 'utf8');
      return ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
    });
}

/** Every node of a file. */
export function* nodesIn(node: ts.Node): Generator<ts.Node> {
  yield node;
  for (const child of node.getChildren()) yield* nodesIn(child);
}
