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
  /** A statement whose result has the columns of the data. It is described but never executed. */
  readonly describedBy: string;
  /**
   * Names of the columns that are copied; undefined for all columns of a query. Empty for a COPY of a
   * relation without a column list: then all columns except generated ones are copied.
   */
  readonly columns: readonly string[] | undefined;
}

const COPY = /\bcopy\b/i;
/** A spelling with escapes is missed. */
const FORMAT = /binary/i;

/**
 * False means that the text certainly contains no COPY: keywords cannot be written with escapes or quotes.
 */
export function mayBeCopy(text: Text): boolean {
  return typeof text !== 'string' || COPY.test(text);
}

/**
 * The text's only statement, if it is a COPY in binary form from or to the client.
 * undefined also where that is uncertain, so undefined does not prove that there is no such
 * COPY. Synchronous; `loadSqlParser` must have been awaited.
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
 * With `standard_conforming_strings` off, the session reads a backslash in `'…'` differently from this
 * parser. `E'…'` and `$$…$$` are not affected.
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

/** The content of the first parentheses after COPY. */
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
