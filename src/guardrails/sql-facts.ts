import type { ParsedSql } from '../sql/facts';
import { parseSql } from '../sql/parser';
import { type AnalysisPool, AnalysisTimeout } from './analysis-pool';

/** Parsed in about 9 ms; longer texts are parsed in another thread. UTF-16 code units. */
const INLINE = 32 * 1024;

/** @throws when the thread failed: the text was not judged. A text that takes too long counts as unparseable. */
export async function sqlFacts(text: string, pool: Pick<AnalysisPool, 'run'>): Promise<ParsedSql> {
  if (text.length <= INLINE) return parseSql(text);
  try {
    return (await pool.run({ kind: 'parse', text })) as ParsedSql;
  } catch (error) {
    if (error instanceof AnalysisTimeout)
      return { kind: 'unparseable', reason: 'it takes too long to parse' };
    throw error;
  }
}
