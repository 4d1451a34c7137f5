import { AlikeTexts, statementForm } from './alike-texts';
import { utf16Offsets } from './lexing/byte-offsets';
import { FactCollector } from './facts/fact-collector';
import type { ParsedSql, StatementFacts } from './facts/facts';
import {
  ParserNotReady,
  SqlSyntaxError,
  loadParserEngine,
  parseTree,
  parserLoaded,
} from './parsing/parser-engine';
import { MAX_REREADS, rereadsOf } from './parsing/parse-cost';
import { isNode, listOf } from './parsing/parse-tree';
import { collectFacts } from './facts/tree-walk';

/** Loads PostgreSQL's parser in this thread. Must be awaited before the first `parseSql`. */
export function loadSqlParser(): Promise<void> {
  return loadParserEngine();
}

function unparseable(reason: string): ParsedSql {
  return { kind: 'unparseable', reason };
}

function numberOr(value: unknown, otherwise: number): number {
  return typeof value === 'number' ? value : otherwise;
}

interface ParsedStatement {
  readonly facts: StatementFacts;
  readonly dependsOnConstants: boolean;
}

/** Returns a parser for function bodies. Limits the cost of all bodies together to that of one text. */
function bodyParser(): (body: string) => unknown {
  let rereads = 0;
  return (body) => {
    rereads += rereadsOf(body);
    if (rereads > MAX_REREADS) throw new SqlSyntaxError('has bodies that are too long to parse');
    return parseTree(body);
  };
}

/** Reads the statements of a tree. libpg-query omits a location of 0, and the length if there is no `;`. */
function parsedStatements(
  tree: unknown,
  text: string,
  skipped: number,
  known: Set<string>,
): ParsedStatement[] {
  const offsetAt = utf16Offsets(text);
  const parseBody = bodyParser();
  return listOf(isNode(tree) ? tree['stmts'] : undefined).map((raw) => {
    const statement = isNode(raw) ? raw : {};
    const startByte = numberOr(statement['stmt_location'], 0);
    const length = numberOr(statement['stmt_len'], 0);
    const start = skipped + offsetAt(startByte);
    const end = skipped + (length === 0 ? text.length : offsetAt(startByte + length));
    const facts = new FactCollector();
    collectFacts(statement['stmt'], facts, known, parseBody);
    return { facts: facts.finish(start, end), dependsOnConstants: facts.dependsOnConstants };
  });
}

const alike = new AlikeTexts();

function statementFacts(text: string, skipped: number, known: Set<string>): readonly StatementFacts[] {
  const form = skipped === 0 ? statementForm(text) : undefined;
  const remembered = form === undefined ? undefined : alike.find(form);
  if (remembered !== undefined) return [remembered];
  const parsed = parsedStatements(parseTree(text), text, skipped, known);
  const [only] = parsed;
  // With known objects some facts are left out, so facts are cached only if `known` is empty.
  if (form !== undefined && parsed.length === 1 && only?.dependsOnConstants === false && known.size === 0) {
    alike.keep(form, only.facts);
  }
  return parsed.map(({ facts }) => facts);
}

/**
 * Returns the facts of every statement in a text, by PostgreSQL 18's grammar. It is synchronous, so on the
 * event loop use it only for texts that `fitsInline` (`parse-cost.ts`) accepts. A text that would take too
 * long is unparseable. Never throws because of the text. Throws if `loadSqlParser` has not been awaited, or
 * while a broken parser is being replaced.
 * @param known cursors and prepared statements (`sessionKey`) that were created, and judged, elsewhere
 */
export function parseSql(text: string, known: Iterable<string> = []): ParsedSql {
  if (!parserLoaded()) throw new Error('loadSqlParser() must be awaited before parseSql()');
  // The parser would stop at NUL and miss the rest.
  if (text.includes('\u0000')) return unparseable('contains a NUL character');
  if (/\p{Surrogate}/u.test(text)) return unparseable('is not well-formed Unicode');
  // psql drops a byte order mark, and the server refuses it. So skipping it here is correct for both.
  const skipped = text.startsWith('\uFEFF') ? 1 : 0;
  const source = text.slice(skipped);
  if (source === '') return { kind: 'facts', statements: [] };
  try {
    return { kind: 'facts', statements: statementFacts(source, skipped, new Set(known)) };
  } catch (error) {
    if (error instanceof ParserNotReady) throw error;
    return unparseable(error instanceof SqlSyntaxError ? error.message : 'is too deep or too large to parse');
  }
}
