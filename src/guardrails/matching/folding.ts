/** Every code unit's folded unit, and the folded low half of each letter beyond U+FFFF that has case. */
interface FoldTables {
  readonly units: Uint16Array;
  readonly lowHalves: ReadonlyMap<number, number>;
  /** Finds the first half of such a letter: without one, a text folds unit by unit. */
  readonly astralCase: RegExp;
}

/** CaseFolding.txt, status S; neither `toLowerCase` nor `toUpperCase` knows these pairs. */
const FURTHER_PAIRS: readonly (readonly [number, number])[] = [
  [0x1fd3, 0x0390],
  [0x1fe3, 0x03b0],
  [0xfb05, 0xfb06],
];
/** The planes in which letters have case. */
const CASED_END = 0x2_0000;
const STEP = 0x800;

let tables: FoldTables | undefined;

/**
 * Folds case by Unicode's simple case folding, as V8's `/iu` compares: Σ σ ς, K and the Kelvin sign, s and ſ
 * each become one. The length never changes, so what is found in the folded text is in the text at the same
 * place. ß is not ss: that would need the full folding, which changes lengths.
 */
export function fold(text: string): string {
  // Without anything beyond ASCII, lower case is the folding, and V8 has it fast.
  if (/^\p{ASCII}*$/u.test(text)) return text.toLowerCase();
  const { units, lowHalves } = foldTables();
  const folded = new Uint16Array(text.length);
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    folded[at] = units[unit]!;
    if (!isHighHalf(unit) || !isLowHalf(text.charCodeAt(at + 1))) continue;
    at++;
    folded[at] = lowHalves.get(text.codePointAt(at - 1)!) ?? text.charCodeAt(at);
  }
  return textOf(folded);
}

/** The tables behind `fold`, for a matcher that folds while it reads; made at the first use (some 10 ms). */
export function foldTables(): FoldTables {
  tables ??= makeTables();
  return tables;
}

/**
 * Whether a letter, digit, mark or underscore stands at a place; either half
 * of a pair is the whole character.
 */
export function isWordCharacter(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  const start = isLowHalf(unit) && isHighHalf(text.charCodeAt(at - 1)) ? at - 1 : at;
  const point = text.codePointAt(start);
  return point !== undefined && /^[\p{L}\p{N}\p{M}_]$/u.test(String.fromCodePoint(point));
}

function isHighHalf(unit: number): boolean {
  return (unit & 0xfc00) === 0xd800;
}

function isLowHalf(unit: number): boolean {
  return (unit & 0xfc00) === 0xdc00;
}

function makeTables(): FoldTables {
  const units = Uint16Array.from({ length: 0x1_0000 }, (_, unit) => unit);
  const lowHalves = new Map<number, number>();
  const highHalves = new Set<number>();
  for (const letter of lettersWithCase()) {
    const folded = foldOf(letter);
    if (letter.length === 1) {
      units[letter.charCodeAt(0)] = folded.charCodeAt(0);
    } else if (folded !== letter) {
      lowHalves.set(letter.codePointAt(0)!, folded.charCodeAt(1));
      highHalves.add(letter.charCodeAt(0));
    }
  }
  for (const [from, to] of FURTHER_PAIRS) units[from] = to;
  const halves = Array.from(highHalves, (half) => `\\u${half.toString(16)}`);
  return { units, lowHalves, astralCase: new RegExp(`[${halves.join('')}]`) };
}

/**
 * Lower case of the upper case where V8 holds the two for the same letter, else lower case, else the letter:
 * İ and ı, whose mappings would reach i, fold to themselves.
 */
function foldOf(letter: string): string {
  const candidates = [letter.toUpperCase().toLowerCase(), letter.toLowerCase()];
  const same = (other: string) => other.length === letter.length && /^(.)\1$/isu.test(letter + other);
  return candidates.find(same) ?? letter;
}

function lettersWithCase(): string[] {
  const found: string[] = [];
  for (let first = 0; first < CASED_END; first += STEP) {
    if (isHighHalf(first) || isLowHalf(first)) continue;
    const points = Array.from({ length: STEP }, (_, at) => first + at).filter(
      (point) => point < 0xd800 || point > 0xdfff,
    );
    found.push(...(String.fromCodePoint(...points).match(/\p{Changes_When_Casemapped}/gu) ?? []));
  }
  return found;
}

function textOf(units: Uint16Array): string {
  let text = '';
  for (let at = 0; at < units.length; at += STEP)
    text += String.fromCharCode(...units.subarray(at, at + STEP));
  return text;
}
