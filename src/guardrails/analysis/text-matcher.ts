import { languages } from '../../languages/languages';
import { canonicalPlain } from '../../languages/plain';
import type { TextTest } from '../kinds/contract/kind';
import { DETECTORS, type DetectorName } from '../matching/detectors';
import { isWordCharacter } from '../matching/folding';
import { PatternSet } from '../matching/pattern-set';
import { WordAutomaton } from '../matching/word-automaton';
import { MAX_OCCURRENCES, type Occurrence } from './occurrence';

export interface Found {
  readonly occurrences: readonly Occurrence[];
  /**
   * Whether the text holds part of a searched word, so that its decoded or folded form may hold the whole
   * word.
   */
  readonly hasTraces: boolean;
}

interface WordForm {
  readonly test: number;
  readonly text: string;
  readonly caseSensitive: boolean;
  readonly wholeWord: boolean;
}

/** Number of word matches after which the search of a text stops if a blocking entry matched. */
const MANY = 10_000;
/**
 * Maximum number of word matches, because masking more matches takes too long. A hostile text can reach this
 * number when hundreds of words share a prefix.
 */
const TOO_MANY = 5_000_000;

/** Minimum length of the text that a stream holds back. Pattern matches up to this length are found whole. */
const LOOK_BACK = 4_096;

type Take = (occurrence: Occurrence) => boolean;

/**
 * The text entries of the guardrail rules for one direction (input or output), compiled together: all words
 * in one automaton, all patterns in one set. Searches a text only as it is; `text-views.ts` makes the decoded
 * and folded views that are searched as well.
 */
export class TextMatcher {
  private readonly forms: readonly WordForm[];
  private readonly words: WordAutomaton | undefined;
  private readonly patterns: TestedPatterns;
  /** Patterns whose result depends on where a statement begins and ends. */
  private readonly anchored: TestedPatterns;
  private readonly detectors: readonly { readonly test: number; readonly name: DetectorName }[];
  /** Whether some word has no letter or digit, so that every view of a text must be searched. */
  readonly hasTracelessWords: boolean;
  /** Matches up to this length are found whole, wherever the stream is cut. UTF-16 code units. */
  readonly lookBack: number;

  /** @param isMask whether the test masks, so that all of its occurrences are needed */
  constructor(
    tests: readonly TextTest[],
    private readonly isMask: (test: number) => boolean = () => false,
  ) {
    this.forms = tests.flatMap((test, index) => (test.kind === 'words' ? formsOf(test, index) : []));
    const words = this.forms.map((form) => form.text);
    this.words = words.length === 0 ? undefined : new WordAutomaton([...words, ...tracesOf(words)]);
    this.hasTracelessWords = words.some((word) => traceOf(word) === '');
    this.patterns = new TestedPatterns(tests, () => true);
    this.anchored = new TestedPatterns(tests, isAnchored);
    this.detectors = tests.flatMap((test, index) =>
      test.kind === 'detectors' ? test.names.map((name) => ({ test: index, name })) : [],
    );
    this.lookBack = Math.max(
      LOOK_BACK,
      // Includes the character after a word, which decides whether the match is a whole word.
      (this.words?.longest ?? 0) + 2,
      ...this.detectors.map(({ name }) => DETECTORS[name].longest + 2),
    );
  }

  get hasPatterns(): boolean {
    return this.patterns.count > 0;
  }

  get hasAnchoredPatterns(): boolean {
    return this.anchored.count > 0;
  }

  /** Returns all occurrences that begin at or after `from`. The text before `from` is only context. */
  find(text: string, from = 0): Found {
    const { occurrences, hasTraces } = this.findWords(text, from);
    const take = this.taking(occurrences);
    this.patterns.find(text, from, take);
    for (const { test, name } of this.detectors) {
      for (const { start, end } of DETECTORS[name].occurrences(text, from)) {
        if (!take({ test, start, end, detector: name })) break;
      }
    }
    return { occurrences, hasTraces };
  }

  findWords(text: string, from = 0): { occurrences: Occurrence[]; hasTraces: boolean } {
    const found = new WordOccurrences(this.isMask);
    let hasTraces = false;
    this.words?.scan(text, from, (word, start, end) => {
      const form = this.forms[word];
      if (form !== undefined && isMatch(form, text, start, end)) found.add(form.test, start, end);
      else hasTraces = true;
      return !found.isEnough;
    });
    return { occurrences: found.list, hasTraces };
  }

  /** Returns the occurrences of anchored patterns, such as those with `^` or `$`, in one statement. */
  findAnchored(statement: string): readonly Occurrence[] {
    const occurrences: Occurrence[] = [];
    this.anchored.find(statement, 0, this.taking(occurrences));
    return occurrences;
  }

  private taking(occurrences: Occurrence[]): Take {
    const counts = new Map<number, number>();
    return (occurrence) => {
      const count = (counts.get(occurrence.test) ?? 0) + 1;
      if (count > MAX_OCCURRENCES && !this.isMask(occurrence.test)) return false;
      counts.set(occurrence.test, count);
      occurrences.push(occurrence);
      return true;
    };
  }
}

/** Collects the occurrences of words in bounded memory, even when very many of them overlap. */
class WordOccurrences {
  readonly list: Occurrence[] = [];
  private count = 0;
  private blocks = false;
  private readonly last = new Map<number, { place: number; counted: number }>();

  constructor(private readonly isMask: (test: number) => boolean) {}

  /** True when further matches cannot change the verdict. @throws when there are too many matches to mask */
  get isEnough(): boolean {
    if (this.count > MANY && this.blocks) return true;
    if (this.count > TOO_MANY) throw new Error('there are too many words to mask');
    return false;
  }

  add(test: number, start: number, end: number): void {
    this.count += 1;
    this.blocks ||= !this.isMask(test);
    const known = this.last.get(test);
    if (known === undefined) {
      this.last.set(test, { place: this.push({ test, start, end }), counted: 1 });
      return;
    }
    const last = this.list[known.place]!;
    if (this.isMask(test)) {
      // Overlapping matches become one mask.
      if (start < last.end) this.list[known.place] = { test, start: Math.min(start, last.start), end };
      else known.place = this.push({ test, start, end });
    } else if (known.counted < MAX_OCCURRENCES) {
      known.counted += 1;
      known.place = this.push({ test, start, end });
    }
  }

  private push(occurrence: Occurrence): number {
    return this.list.push(occurrence) - 1;
  }
}

/** The patterns of some of the tests, compiled together. Each match gets the index of its test. */
class TestedPatterns {
  private readonly tests: readonly number[];
  private readonly set: PatternSet | undefined;

  constructor(tests: readonly TextTest[], isOfInterest: (pattern: string) => boolean) {
    const patterns = tests.map((test) =>
      test.kind === 'pattern' && isOfInterest(test.pattern) ? test.pattern : undefined,
    );
    this.tests = patterns.flatMap((pattern, test) => (pattern === undefined ? [] : [test]));
    this.set =
      this.tests.length === 0
        ? undefined
        : new PatternSet(patterns.filter((pattern) => pattern !== undefined));
  }

  get count(): number {
    return this.tests.length;
  }

  find(text: string, from: number, take: Take): void {
    for (const pattern of this.set?.matching(text) ?? []) {
      const test = this.tests[pattern]!;
      for (const { start, end } of this.set!.occurrences(pattern, text, from)) {
        if (!take({ test, start, end })) break;
      }
    }
  }
}

/**
 * Whether the pattern may match in a statement by itself but not in the whole text, because it has `^`, `$`,
 * `\A` or `\z`. The `^` of a class `[^…]` is not counted.
 */
function isAnchored(pattern: string): boolean {
  return /[$^]|\\[AZz]/.test(pattern.replaceAll('[^', '['));
}

function isMatch(
  { text: word, caseSensitive, wholeWord }: WordForm,
  text: string,
  start: number,
  end: number,
) {
  return (!caseSensitive || text.startsWith(word, start)) && (!wholeWord || isWhole(text, start, end));
}

/** Whether the match is a whole word. No word border is needed at an end that is a punctuation character. */
function isWhole(text: string, start: number, end: number): boolean {
  const continuesBefore = isWordCharacter(text, start) && start > 0 && isWordCharacter(text, start - 1);
  const continuesAfter = isWordCharacter(text, end - 1) && end < text.length && isWordCharacter(text, end);
  return !continuesBefore && !continuesAfter;
}

/** Returns all spellings of a test's words, each with the options of the test. */
function formsOf(test: TextTest & { kind: 'words' }, index: number): WordForm[] {
  const { caseSensitive, wholeWord } = test;
  return spellingsOf(test).map((text) => ({ test: index, text, caseSensitive, wholeWord }));
}

/** Returns the words of an entry as they are written, and their canonical spellings. */
export function spellingsOf({ words }: TextTest & { kind: 'words' }): string[] {
  return words.flatMap((word) => [...new Set([word, ...canonicalForms(word)])]);
}

function canonicalForms(word: string): string[] {
  const forms = [canonicalPlain(word).text];
  // Each language may add a canonical spelling. PostgreSQL adds the word without the quotes around names,
  // unless the word also contains a quote or dollar sign of a string, or the start of a comment.
  for (const language of languages) forms.push(...(language.wordForms?.(word) ?? []));
  return forms.filter((form) => form.trim() !== '');
}

/**
 * Returns the longest run of letters and digits in a word. If any view of a text contains the word, the text
 * itself contains this run unbroken.
 */
function traceOf(word: string): string {
  return (word.match(/[\p{L}\p{N}_]+/gu) ?? []).reduce((a, b) => (b.length > a.length ? b : a), '');
}

function tracesOf(words: readonly string[]): string[] {
  const traces = words.map((word) => ({ word, trace: traceOf(word) }));
  return [
    ...new Set(traces.filter(({ word, trace }) => trace !== '' && trace !== word).map(({ trace }) => trace)),
  ];
}
