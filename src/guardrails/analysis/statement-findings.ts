import type { Finding } from '../../gate/ports/guardrails';
import type { Language } from '../../languages/language';
import type { ParsedInput } from '../../languages/parsed-input';
import { shown } from './findings';
import type { StatementTest } from '../kinds/contract/kind';
import { ruleKind } from '../kinds/kinds';
import { MAX_OCCURRENCES } from './occurrence';

/**
 * Returns the findings of each statement test in the parsed input, in the order of its statements. `length`
 * is the length of the input.
 * @throws Error for an unknown type of entry; then the input was not judged
 */
export function forbiddenIn(
  length: number,
  parsed: ParsedInput,
  tests: readonly StatementTest[],
): Finding[][] {
  return tests.map(({ type, condition }) => {
    const kind = ruleKind(type);
    if (kind?.forbidden === undefined) throw new Error(`nobody can judge statements by ${type} entries`);
    return kind
      .forbidden(condition, length, parsed)
      .slice(0, MAX_OCCURRENCES)
      .map((finding) => ({ ...finding, text: shown(finding.text) }));
  });
}

/** Matches the start of any SQL statement: a word, a bracket, a semicolon or a comment. */
const BEGINS_LIKE_SQL = /^[\s;(]*(?:[a-z]|--|\/\*)/i;

/**
 * Like `forbiddenIn`, for an input that is not parsed yet. For a call, parses each text in the arguments that
 * a test names. A test that names no arguments ignores texts that cannot be parsed, because most texts of a
 * call are not statements, and otherwise every call would be refused.
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
  // Tests that read the same arguments of a call share one extraction of its texts.
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

/** Groups the tests that read the same arguments of a call. */
function groupsOf(tests: readonly StatementTest[]): NumberedTest[][] {
  const groups = new Map<string, NumberedTest[]>();
  for (const [index, test] of tests.entries()) {
    const key = JSON.stringify(test.places);
    groups.set(key, [...(groups.get(key) ?? []), { test, index }]);
  }
  return [...groups.values()];
}

/**
 * Maximum number of texts whose facts are cached. The cache is for a call that repeats one text a hundred
 * thousand times. It is bounded, because a call may also contain a hundred thousand different texts.
 */
const REMEMBERED = 1_000;

function remembering(
  parse: (language: Language, text: string) => ParsedInput,
): (language: Language, text: string) => ParsedInput {
  const known = new Map<string, ParsedInput>();
  return (language, text) => {
    const facts = known.get(text) ?? parse(language, text);
    if (known.size < REMEMBERED) known.set(text, facts);
    return facts;
  };
}

function parsedIn(language: Language, text: string, known: readonly string[]): ParsedInput {
  return language.parse?.(text, known) ?? { kind: 'facts', statements: [] };
}
