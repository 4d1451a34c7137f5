import type { RE2JS } from 're2js';
import type { ByteClass } from './byte-class';
import {
  ALT,
  ALT_MATCH,
  CAPTURE,
  EMPTY_WIDTH,
  FAIL,
  MATCH,
  NOP,
  type Program,
  RUNE,
  type Step,
  programOf,
} from './re2-parts';

const MOST = 8;
const ASCII = 128;
const LINE_BREAK = 10;
/**
 * The characters beyond ASCII that match s or k when case is ignored: ſ and the Kelvin sign. A text after
 * `settlePlain` does not contain them.
 */
const FOLDING_TO_ASCII: ReadonlySet<number> = new Set([0x17f, 0x212a]);

const BORDERS_OF_TEXT = 4 | 8;

/** Properties of every match of a pattern: its first characters, and whether it stays within a line. */
export interface PatternWindow {
  /**
   * Classes of the first characters of every match, up to the first character that may be beyond ASCII.
   * Empty: a match may begin with any character.
   */
  readonly classes: readonly ByteClass[];
  /** No match holds a line break, and no match depends on where the text begins or ends. */
  readonly keepsToLines: boolean;
}

const UNKNOWN: PatternWindow = { classes: [], keepsToLines: false };

/**
 * Returns the properties of a pattern's matches. If the library's compiled pattern does not have the expected
 * form, the result rules out no text, which is slower but equally safe.
 */
export function patternWindow(pattern: RE2JS): PatternWindow {
  const prog = programOf(pattern);
  if (prog === undefined) return UNKNOWN;
  return { classes: classesOf(prog), keepsToLines: prog.inst.every(keepsToLines) };
}

function isRune({ op }: Step): boolean {
  return op >= RUNE;
}

function keepsToLines(step: Step): boolean {
  if (isRune(step)) return !step.matchRune(LINE_BREAK);
  return step.op !== EMPTY_WIDTH || (step.arg & BORDERS_OF_TEXT) === 0;
}

function classesOf(program: Program): ByteClass[] {
  const classes: ByteClass[] = [];
  let steps = reached(program, [program.start]);
  while (classes.length < MOST && !steps.some(({ op }) => op === MATCH)) {
    const runes = steps.filter(isRune);
    if (runes.length === 0 || runes.some(isBeyondAscii)) break;
    classes.push(asciiOf(runes));
    steps = reached(
      program,
      runes.map(({ out }) => out),
    );
  }
  return classes;
}

/**
 * Returns the next steps of the compiled pattern, from `from` on, that read a character or end a match.
 * Conditions such as `\b` are treated as fulfilled.
 */
function reached({ inst }: Program, from: readonly number[]): Step[] {
  const waiting = [...from];
  const seen = new Set<number>();
  const found: Step[] = [];
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    const step = inst[place];
    if (step === undefined || seen.has(place)) continue;
    seen.add(place);
    switch (step.op) {
      case ALT:
      case ALT_MATCH:
        waiting.push(step.out, step.arg);
        break;
      case CAPTURE:
      case EMPTY_WIDTH:
      case NOP:
        waiting.push(step.out);
        break;
      case FAIL:
        break;
      default:
        found.push(step);
    }
  }
  return found;
}

/**
 * Whether a step may read a character beyond ASCII. `runes` has one character (in any case if `arg` has that
 * flag), or pairs of the first and last character of a range.
 */
function isBeyondAscii({ runes }: Step): boolean {
  if (runes.length === 1) return runes[0]! >= ASCII;
  for (let at = 1; at < runes.length; at += 2) {
    const isOnlyFolding = runes[at - 1] === runes[at] && FOLDING_TO_ASCII.has(runes[at]!);
    if (runes[at]! >= ASCII && !isOnlyFolding) return true;
  }
  return false;
}

function asciiOf(steps: readonly Step[]): ByteClass {
  const bytes = Array.from({ length: ASCII }, (_, byte) => byte);
  return new Set(bytes.filter((byte) => steps.some((step) => step.matchRune(byte))));
}
