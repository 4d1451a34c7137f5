import type { Finding } from '../gate/ports/guardrails';
import type { Language } from '../languages/language';
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

/** Every statement begins with a word, a bracket, a semicolon or a comment. */
const BEGINS_LIKE_SQL = /^[\s;(]*(?:[a-z]|--|\/\*)/i;

/**
 * The same for an input in a language. Of a call, each text at the test's places is read in the language of statements. Without places, only
 * those that can be parsed are statements: most texts of a call are none, and refusing them would refuse every call.
 */
export function statementFindings(
  language: Language,
  text: string,
  tests: readonly StatementTest[],
  known: readonly string[] = [],
): Finding[][] {
  if (language.embedded === undefined)
    return forbiddenIn(text.length, parsedIn(language, text, known), tests);
  const embedded = (places: StatementTest['places']) => language.embedded!(text, places);
  const parsed = new Map<string, ParsedSql>();
  return tests.map((test) => {
    const { language: inner, texts } = embedded(test.places);
    const found: Finding[] = [];
    for (const view of texts) {
      if (test.places === undefined && !BEGINS_LIKE_SQL.test(view.text)) continue;
      const facts = parsed.get(view.text) ?? parsedIn(inner, view.text, []);
      parsed.set(view.text, facts);
      if (facts.kind === 'unparseable' && test.places === undefined) continue;
      for (const finding of forbiddenIn(view.text.length, facts, [test])[0] ?? [])
        found.push({ ...finding, ...view.sourceRange(finding.start, finding.end) });
      if (found.length >= MAX_OCCURRENCES) break;
    }
    return found;
  });
}

function parsedIn(language: Language, text: string, known: readonly string[]): ParsedSql {
  return language.parse?.(text, known) ?? { kind: 'facts', statements: [] };
}
