import type { Text } from '../../kernel/text/long-text';
import { SqlLexer } from './lexing/lexer';
import { fitsInline } from './parsing/parse-cost';
import { ParserNotReady, parseTree, parserLoaded } from './parsing/parser-engine';
import {
  defElems,
  dottedName,
  field,
  isNode,
  listOf,
  stringNode,
  nodeText,
  type TreeNode,
} from './parsing/parse-tree';

/** A COPY in binary form between the target and its client. */
export interface BinaryCopy {
  readonly direction: 'in' | 'out';
  /** A statement whose result has the same columns as the copied data. It is described, never executed. */
  readonly describedBy: string;
  /**
   * Names of the copied columns; undefined for all columns of a query. It is empty for a COPY of a relation
   * without a column list, which copies all columns except generated ones.
   */
  readonly columns: readonly string[] | undefined;
}

const COPY = /\bcopy\b/i;
/** Matches the name of the binary format, except in a spelling with escapes. */
const FORMAT = /binary/i;

/** False only if the text contains no COPY. Keywords cannot be written with escapes or quotes. */
export function mayBeCopy(text: Text): boolean {
  return typeof text !== 'string' || COPY.test(text);
}

/**
 * Returns the text's only statement if it is a COPY in binary form from or to the client. Also returns
 * undefined when this is uncertain, so undefined does not prove that there is no such COPY. Synchronous;
 * without a prior `loadSqlParser` the result is undefined.
 */
export function binaryCopyOf(text: Text): BinaryCopy | undefined {
  if (typeof text !== 'string') return undefined;
  if (!mayBeCopy(text) || !FORMAT.test(text) || !fitsInline(text) || !parserLoaded()) return undefined;
  if (text.includes('\0') || /\p{Surrogate}/u.test(text) || mayBeReadOtherwise(text)) return undefined;
  try {
    const copy = onlyCopy(parseTree(text));
    return copy && described(copy, text);
  } catch (error) {
    if (error instanceof ParserNotReady) throw error;
    return undefined;
  }
}

/**
 * Whether the session may read the text differently from this parser. With `standard_conforming_strings` off,
 * a backslash in `'…'` begins an escape. `E'…'` and `$$…$$` are not affected.
 */
function mayBeReadOtherwise(text: string): boolean {
  if (!text.includes('\\')) return false;
  const lexer = new SqlLexer(text);
  while (lexer.next())
    if (
      lexer.kind === 'string' &&
      !/[$e]/i.test(text[lexer.start] ?? '') &&
      text.slice(lexer.start, lexer.end).includes('\\')
    )
      return true;
  return false;
}

function onlyCopy(tree: unknown): TreeNode | undefined {
  const [only, ...others] = listOf(isNode(tree) ? tree['stmts'] : undefined);
  if (!isNode(only) || others.length > 0) return undefined;
  const copy = field(field(only, 'stmt'), 'CopyStmt');
  if (copy['filename'] !== undefined || copy['is_program'] === true) return undefined;
  const format = defElems(copy['options']).find(({ name }) => name === 'format');
  const name = stringNode(format?.arg) ?? dottedName(listOf(format?.arg))?.at(-1);
  return name?.toLowerCase() === 'binary' ? copy : undefined;
}

function described(copy: TreeNode, text: string): BinaryCopy | undefined {
  const direction = copy['is_from'] === true ? 'in' : 'out';
  if (copy['query'] !== undefined) {
    const query = parenthesized(text);
    return query === undefined ? undefined : { direction, describedBy: query, columns: undefined };
  }
  const relation = field(copy, 'relation');
  const names = ['catalogname', 'schemaname', 'relname'].flatMap((key) => nodeText(relation, key) ?? []);
  if (names.length === 0) return undefined;
  const describedBy = `SELECT * FROM ONLY ${names.map(quoted).join('.')}`;
  return { direction, describedBy, columns: dottedName(listOf(copy['attlist'])) ?? [] };
}

/** Returns the content of the first parentheses in the text, which is the query of a COPY. */
function parenthesized(text: string): string | undefined {
  const lexer = new SqlLexer(text);
  let depth = 0;
  let start = 0;
  while (lexer.next()) {
    if (lexer.kind !== 'other') continue;
    const mark = text.slice(lexer.start, lexer.end);
    if (mark === '(') {
      depth += 1;
      if (depth === 1) start = lexer.end;
    } else if (mark === ')') {
      depth -= 1;
      if (depth === 0) return text.slice(start, lexer.start);
    }
  }
  return undefined;
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
