import type { TextTest } from '../kinds/contract/kind';
import { type ByteClass, anyCase, byteClass } from '../matching/byte-class';
import { MOST_SEQUENCES } from '../matching/byte-scanner';
import type { DetectorName } from '../matching/detectors';
import { patternWindow } from '../matching/pattern-window';
import { spellingsOf } from './text-matcher';
import { compilePattern } from '../matching/pattern-set';

/** Maximum length of a trigger's byte sequence; longer sequences filter no better. */
const MOST = 8;

/**
 * Every match contains at least one of these parts: a sequence, a single byte, or a run of digits with spaces
 * or dashes that may be a payment card. This is true for texts that normalization does not change
 * (settled-bytes.ts), apart from differences in white space.
 */
export interface Triggers {
  readonly sequences: readonly (readonly ByteClass[])[];
  readonly singles: ByteClass;
  readonly cards: boolean;
  /** Whether some word has no ASCII character, so that all text beyond ASCII must be searched. */
  readonly beyondAscii: boolean;
}

/** The triggers of one test; undefined when every text must be searched for the test. */
type Told = Partial<Triggers> | undefined;

const digit = byteClass('0-9');
const digits = (count: number): ByteClass[] => Array.from({ length: count }, () => digit);
const several = (written: string, count: number): ByteClass[] =>
  Array.from({ length: count }, () => byteClass(written));
/** Separators between groups of digits of a payment card number, other than a space and a dash. */
const sign = byteClass(".,/_'");
const literal = (text: string): ByteClass[] => Array.from(text, byteClass);

/**
 * Triggers of each detector. They are taken from the beginning of its matches, without the context before a
 * match. The detectors' expressions are in matching/.
 */
const TOLD_BY: Readonly<Record<DetectorName, Partial<Triggers>>> = {
  email: { singles: byteClass('@') },
  payment_card: {
    cards: true,
    sequences: [
      ...[3, 4].map((count) => [sign, ...digits(count), sign, ...digits(3)]),
      [sign, ...digits(6), sign],
      [...digits(3), byteClass('eE'), byteClass('+'), byteClass('1'), digit],
      [...digits(3), byteClass('eE'), byteClass('1'), digit],
    ],
  },
  us_ssn: {
    sequences: ['-', ' '].map((sign) => [
      ...digits(3),
      ...literal(sign),
      ...digits(2),
      ...literal(sign),
      ...digits(4),
    ]),
  },
  iban: { sequences: [[...several('A-Za-z', 2), ...digits(2), ...several('A-Za-z0-9 ', 8)]] },
  phone: {
    sequences: [
      [byteClass('+'), byteClass('1-9'), ...several('-0-9 ./()', 6)],
      ...['-', '.'].map((sign) => [
        byteClass('2-9'),
        ...digits(2),
        ...literal(sign),
        byteClass('2-9'),
        ...digits(2),
        ...literal(sign),
        ...digits(4),
      ]),
      [byteClass('('), byteClass('2-9'), ...digits(2), byteClass(')')],
    ],
  },
  aws_key: {
    sequences: [
      [...literal('A'), byteClass('KSBC'), byteClass('IC'), ...literal('A'), ...several('A-Z0-9', 4)],
      anyCase('secret'),
    ],
  },
  jwt: { sequences: [[...literal('eyJ'), ...several('-A-Za-z0-9_', 5)]] },
  private_key: { sequences: [literal('PRIVATE ')] },
};

/** Detectors whose matches may continue in the next line. */
const OVER_LINES: ReadonlySet<DetectorName> = new Set(['aws_key', 'private_key']);

/** Returns the triggers of all tests together; undefined when every text must be searched. */
export function triggersOf(tests: readonly TextTest[]): Triggers | undefined {
  return joined(toldOf(tests));
}

function* toldOf(tests: readonly TextTest[]): Generator<Told, void> {
  for (const test of tests)
    switch (test.kind) {
      case 'words':
        for (const form of spellingsOf(test)) yield toldByRun(form);
        break;
      case 'pattern':
        yield toldByWindow(patternWindow(compilePattern(test.pattern)).classes);
        break;
      case 'detectors':
        yield* test.names.map((name) => TOLD_BY[name]);
    }
}

/**
 * Returns triggers for single lines of a longer text. A line without a trigger contains no part of a match.
 * Returns undefined if no line can be ruled out, for example because a match may span several lines and one
 * of them may have no trigger.
 */
export function triggersOfLines(tests: readonly TextTest[]): Triggers | undefined {
  return joined(toldOfLines(tests));
}

function* toldOfLines(tests: readonly TextTest[]): Generator<Told, void> {
  for (const test of tests)
    switch (test.kind) {
      case 'words':
        for (const form of spellingsOf(test)) {
          if (/^\s|\s$/.test(form)) yield undefined;
          else for (const word of form.split(/\s+/)) yield toldByRun(word);
        }
        break;
      case 'pattern': {
        const { classes, keepsToLines } = patternWindow(compilePattern(test.pattern));
        yield keepsToLines ? toldByWindow(classes) : undefined;
        break;
      }
      case 'detectors':
        yield* test.names.map((name) => (OVER_LINES.has(name) ? undefined : TOLD_BY[name]));
    }
}

/** Returns a word's longest run of letters and digits, which every spelling of the word keeps unbroken. */
function toldByRun(word: string): Told {
  const runs = word.match(/[A-Za-z0-9_]+/g) ?? [];
  const longest = runs.reduce((a, b) => (b.length > a.length ? b : a), '');
  if (longest !== '') return { sequences: [anyCase(longest.slice(0, MOST))] };
  return /[\p{L}\p{N}]/u.test(word) && /^[^\p{ASCII}]+$/u.test(word) ? { beyondAscii: true } : undefined;
}

function toldByWindow(window: readonly ByteClass[]): Told {
  return window.length === 0 ? undefined : { sequences: [window] };
}

/**
 * Joins triggers. Returns undefined if one is undefined, or if there are more sequences than can be scanned.
 */
function joined(told: Iterable<Told>): Triggers | undefined {
  const sequences: (readonly ByteClass[])[] = [];
  const singles = new Set<number>();
  let [cards, beyondAscii] = [false, false];
  for (const one of told) {
    if (one === undefined) return undefined;
    sequences.push(...(one.sequences ?? []));
    if (sequences.length > MOST_SEQUENCES) return undefined;
    for (const single of one.singles ?? []) singles.add(single);
    cards ||= one.cards === true;
    beyondAscii ||= one.beyondAscii === true;
  }
  return { sequences, singles, cards, beyondAscii };
}
