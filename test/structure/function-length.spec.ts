import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import * as ts from 'typescript';
import { ROOT } from '../support/root';

const SOURCE = join(ROOT, 'src');
/** Maximum number of lines of a function. A reader cannot keep a longer function in mind. */
const MAX_LINES = 60;
/**
 * Length above which a function counts as long. At most `MAX_LONG` functions may be long, each for a reason:
 * a list, a statement, or a loop that must not call functions.
 */
const LONG_LINES = 40;
const MAX_LONG = 8;
/** Migrations are not measured, because they are lists of statements and never change after a release. */
const MIGRATIONS = /^platform\/database\/migrations\//;

interface Length {
  readonly lines: number;
  readonly where: string;
}

/**
 * Returns the lengths of all functions with a body, in lines. A length runs from the first line after the doc
 * comment to the last brace, with comments, empty lines and inner functions. Functions, methods, accessors,
 * constructors and arrow functions count, classes do not. Specs are not measured, because the callback of
 * `describe` contains all tests.
 */
function functionLengths(path: string, text: string): Length[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const lengths: Length[] = [];
  const lineOf = (position: number): number => source.getLineAndCharacterOfPosition(position).line + 1;
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && 'body' in node && node.body !== undefined) {
      const start = lineOf(node.getStart(source));
      lengths.push({ lines: lineOf(node.end) - start + 1, where: `${path}:${start}` });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return lengths;
}

const lengths = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => path.endsWith('.ts') && !path.endsWith('.spec.ts') && !MIGRATIONS.test(path))
  .flatMap((path) => functionLengths(path, readFileSync(join(SOURCE, path), 'utf8')));

const longerThan = (most: number): string[] =>
  lengths
    .filter(({ lines }) => lines > most)
    .sort((a, b) => b.lines - a.lines)
    .map(({ lines, where }) => `${where} has ${lines} lines`);

describe('functions', () => {
  it('are measured from their first line to their last brace, with those inside', () => {
    const text = 'class A {\n  /** Doc. */\n  b(): void {\n    const c = () =>\n      1;\n    c();\n  }\n}\n';
    expect(functionLengths('a.ts', text)).toEqual([
      { lines: 5, where: 'a.ts:3' },
      { lines: 2, where: 'a.ts:4' },
    ]);
    expect(lengths.length).toBeGreaterThan(1_000);
  });

  it(`have at most ${MAX_LINES} lines`, () => {
    expect(longerThan(MAX_LINES)).toEqual([]);
  });

  it(`have more than ${LONG_LINES} lines in ${MAX_LONG} places at most`, () => {
    const long = longerThan(LONG_LINES);
    expect(long.length > MAX_LONG ? long : []).toEqual([]);
  });
});
