import type { Finding } from '../gate/ports/guardrails';
import type { Eventual } from '../kernel/eventual';
import { parseSql } from '../sql/parser';
import { type AnalysisPool, AnalysisTimeout } from './analysis-pool';
import { type StatementCondition, forbiddenIn } from './statement-condition';

/** Parsed in about 9 ms; longer texts are parsed in another thread. UTF-16 code units. */
const INLINE = 32 * 1024;

/**
 * `known` is as in `GuardrailSet.judge`, and of texts that are parsed here: longer ones tell where all they use comes from.
 * What each condition finds in the statements of a text. A text that takes too long counts as unparseable.
 * @throws (or rejects) when the thread failed: the text was not judged.
 */
export function findInStatements(
  text: string,
  conditions: readonly StatementCondition[],
  pool: Pick<AnalysisPool, 'run'>,
  known: readonly string[] = [],
): Eventual<Finding[][]> {
  if (text.length > INLINE) return findInThread(text, conditions, pool);
  return forbiddenIn(text, parseSql(text, known), conditions);
}

async function findInThread(
  text: string,
  conditions: readonly StatementCondition[],
  pool: Pick<AnalysisPool, 'run'>,
): Promise<Finding[][]> {
  try {
    return (await pool.run({ kind: 'statements', text, conditions })) as Finding[][];
  } catch (error) {
    if (!(error instanceof AnalysisTimeout)) throw error;
    return forbiddenIn(text, { kind: 'unparseable', reason: 'it takes too long to parse' }, conditions);
  }
}
