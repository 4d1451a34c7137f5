import type { AskCatalog, Finding, JudgedFor } from '../../gate/ports/guardrails';
import type { MaybePromise } from '../../kernel/async/maybe-promise';
import { LongText, type Text } from '../../kernel/text/long-text';
import type { Language } from '../../languages/language';
import {
  ANY_TABLE,
  type ParsedSql,
  type StatementFacts,
  type TableFact,
  keepsCatalog,
} from '../../languages/postgresql/facts/facts';
import { sent } from '../analysis/analysis';
import { AnalysisTimeout } from '../analysis/analysis-errors';
import type { AnalysisPool } from '../analysis/analysis-pool';
import type { StatementTest } from '../kinds/contract/kind';
import { forbiddenIn, statementFindings } from '../analysis/statement-findings';

/** Maximum length of a text that is searched for the keywords in `MAY_ASK`. UTF-16 code units. */
const SEARCHED = 32 * 1024;
/**
 * Maximum number of catalog queries for one text. After them, statements keep the table name `*`, which means
 * any table.
 */
const MAX_ASKED = 20;
/**
 * Keywords of statements whose tables can be found only in the target's catalog. Searching the text is
 * enough, because a keyword has only one spelling.
 */
const MAY_ASK =
  /\b(?:cascade|extension|owned|tablespace|truncate|schema|cluster|reindex|vacuum|analy[sz]e)\b/i;

/** Whether the verdict may depend on the target's catalog. For texts up to `SEARCHED`, false is certain. */
export function mayAskCatalog(text: string): boolean {
  return text.length <= SEARCHED && MAY_ASK.test(text);
}

/**
 * Returns the findings of each test in the statements of a text. A text that takes too long to parse counts
 * as unparseable. `known` and `ask` are as in `GuardrailSet.judge`. They have no effect on a call, or on a
 * text that is parsed in a thread: such a text must itself define the session objects that it uses.
 * @throws (or rejects) when the thread failed; then the text was not judged
 */
export function findInStatements(
  language: Language,
  text: Text,
  tests: readonly StatementTest[],
  pool: Pick<AnalysisPool, 'run'>,
  known: readonly string[] = [],
  ask?: AskCatalog,
  owner?: JudgedFor,
): MaybePromise<Finding[][]> {
  if (text instanceof LongText || language.fitsInline?.(text) === false)
    return findInThread(language, text, tests, pool, owner);
  if (language.embedded !== undefined) return statementFindings(language, text, tests);
  const parsed = language.parse?.(text, known) ?? { kind: 'facts', statements: [] };
  const found = forbiddenIn(text.length, parsed, tests);
  if (ask === undefined || parsed.kind !== 'facts' || isFree(found)) return found;
  // The catalog is queried only if nothing else forbids the text.
  if (
    !isFree(
      forbiddenIn(
        text.length,
        withTouched(parsed.statements, () => []),
        tests,
      ),
    )
  )
    return found;
  return asked(parsed.statements, ask).then((statements) => forbiddenIn(text.length, statements, tests));
}

function isFree(found: readonly Finding[][]): boolean {
  return found.every((findings) => findings.length === 0);
}

/** Returns the statements with tables from the catalog in place of `*`. */
async function asked(statements: readonly StatementFacts[], ask: AskCatalog): Promise<ParsedSql> {
  const touched = new Map<StatementFacts, readonly TableFact[]>();
  for (const statement of statements) {
    if (statement.reaches !== undefined && touched.size < MAX_ASKED) {
      const tables = await ask(statement.reaches);
      if (tables !== undefined) touched.set(statement, tables);
    }
    if (!keepsCatalog(statement)) break;
  }
  return withTouched(statements, (statement) => touched.get(statement));
}

function withTouched(
  statements: readonly StatementFacts[],
  touched: (statement: StatementFacts) => readonly TableFact[] | undefined,
): ParsedSql {
  return {
    kind: 'facts',
    statements: statements.map((statement) => {
      const tables = statement.reaches === undefined ? undefined : touched(statement);
      if (tables === undefined) return statement;
      return {
        ...statement,
        tables: [...statement.tables.filter(({ name }) => name !== ANY_TABLE), ...tables],
      };
    }),
  };
}

async function findInThread(
  language: Language,
  text: Text,
  tests: readonly StatementTest[],
  pool: Pick<AnalysisPool, 'run'>,
  owner: JudgedFor | undefined,
): Promise<Finding[][]> {
  try {
    const task = { kind: 'statements', language: language.name, text: sent(text), tests } as const;
    return (await pool.run(task, owner)) as Finding[][];
  } catch (error) {
    if (!(error instanceof AnalysisTimeout)) throw error;
    return forbiddenIn(text.length, { kind: 'unparseable', reason: 'it takes too long to parse' }, tests);
  }
}
