import type { Finding } from '../../gate/ports/guardrails';
import type { Language } from '../../languages/language';
import type { ParsedSql } from '../../languages/postgresql/facts/facts';
import { shown } from './findings';
import type { StatementTest } from '../kinds/contract/kind';
import { ruleKind } from '../kinds/kinds';
import { MAX_OCCURRENCES } from './occurrence';

/**
 * Returns the findings of each statement test in an input of that length, in the order of its statements.
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
 * The same for an input in a language. Of a call, each text at the test's places is read in the language of
 * statements. Without places, only those that can be parsed are statements: most texts of a call are none,
 * and refusing them would refuse every call.
 */
export function statementFindings(
  language: Language,
  text: string,
  tests: readonly StatementTest[],
  known: readonly string[] = [],
): Finding[][] {
  if (language.embedded === undefined)
    return forbiddenIn(text.length, parsedIn(language, text, known), tests);
  const parse = remembering((inner: Language, part: string) => parsedIn(inner, part, []));
  const found: Finding[][] = tests.map(() => []);
  // The texts of a call are taken from it once for all tests that read the same places.
  for (const group of groupsOf(tests)) {
    const { places } = group[0]!.test;
    const { language: inner, texts } = language.embedded(text, places);
    let open = group;
    for (const view of texts) {
      if (places === undefined && !BEGINS_LIKE_SQL.test(view.text)) continue;
      const facts = parse(inner, view.text);
      if (facts.kind === 'unparseable' && places === undefined) continue;
      for (const { test, index } of open)
        for (const finding of forbiddenIn(view.text.length, facts, [test])[0] ?? [])
          found[index]!.push({ ...finding, ...view.sourceRange(finding.start, finding.end) });
      open = open.filter(({ index }) => found[index]!.length < MAX_OCCURRENCES);
      if (open.length === 0) break;
    }
  }
  return found;
}

interface NumberedTest {
  readonly test: StatementTest;
  readonly index: number;
}

/** The tests that read the same places of a call, together. */
function groupsOf(tests: readonly StatementTest[]): NumberedTest[][] {
  const groups = new Map<string, NumberedTest[]>();
  for (const [index, test] of tests.entries()) {
    const key = JSON.stringify(test.places);
    groups.set(key, [...(groups.get(key) ?? []), { test, index }]);
  }
  return [...groups.values()];
}

/**
 * The facts of so many texts are kept: a call may hold one text a hundred
 * thousand times, or as many different ones.
 */
const REMEMBERED = 1_000;

function remembering(
  parse: (language: Language, text: string) => ParsedSql,
): (language: Language, text: string) => ParsedSql {
  const known = new Map<string, ParsedSql>();
  return (language, text) => {
    const facts = known.get(text) ?? parse(language, text);
    if (known.size < REMEMBERED) known.set(text, facts);
    return facts;
  };
}

function parsedIn(language: Language, text: string, known: readonly string[]): ParsedSql {
  return language.parse?.(text, known) ?? { kind: 'facts', statements: [] };
}
