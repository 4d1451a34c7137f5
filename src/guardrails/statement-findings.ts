import type { Finding } from '../gate/ports/guardrails';
import type { ParsedSql } from '../languages/postgresql/facts';
import { shown } from './findings';
import type { StatementTest } from './kinds/kind';
import { ruleKind } from './kinds/kinds';
import { MAX_OCCURRENCES } from './occurrence';

/**
 * What each statement test forbids in an input of that length, in the order of its statements.
 * @throws Error for an unknown type of entry: the input was not judged
 */
export function forbiddenIn(length: number, parsed: ParsedSql, tests: readonly StatementTest[]): Finding[][] {
  return tests.map(({ type, condition }) => {
    const kind = ruleKind(type);
    if (kind?.forbidden === undefined) throw new Error(`nobody can judge statements by ${type} entries`);
    return kind
      .forbidden(condition, length, parsed)
      .slice(0, MAX_OCCURRENCES)
      .map((finding) => ({ ...finding, text: shown(finding.text) }));
  });
}
