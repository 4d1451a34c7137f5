/** The folded unit of every code unit, and the folded low surrogate of each cased letter beyond U+FFFF. */
interface FoldTables {
  readonly units: Uint16Array;
  readonly lowHalves: ReadonlyMap<number, number>;
  /** Finds the high surrogate of a cased letter. A text without one can be folded unit by unit. */
  readonly astralCase: RegExp;
}

/** Pairs of CaseFolding.txt with status S that neither `toLowerCase` nor `toUpperCase` maps. */
const FURTHER_PAIRS: readonly (readonly [number, number])[] = [
  [0x1fd3, 0x0390],
  [0x1fe3, 0x03b0],
  [0xfb05, 0xfb06],
];
/** End of the planes in which letters have case (planes 0 and 1). */
const CASED_END = 0x2_0000;
const STEP = 0x800;

let tables: FoldTables | undefined;

/**
 * Folds case by Unicode's simple case folding, as V8's `/iu` compares. So Σ σ ς become one letter, as do K
 * and the Kelvin sign, and s and ſ. The length never changes, so an offset in the folded text is the same
 * offset in the text. ß does not become ss, because this needs the full folding, which changes lengths.
 */
export function fold(text: string): string {
  // For a text in ASCII, the folded text is the lower case, which V8 computes fast.
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

/**
 * Returns the tables of `fold`, for a matcher that folds while it reads. The first call builds them, in about
 * 10 ms.
 */
export function foldTables(): FoldTables {
  tables ??= makeTables();
  return tables;
}

/**
 * Whether the character at an offset is a letter, digit, combining mark or underscore. Either half of a
 * surrogate pair stands for the whole character.
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
 * Tries the lower case of the upper case, then the lower case. Returns the first result that V8's `/iu`
 * treats as the same letter, or else the letter itself. So İ and ı, whose mappings lead to i, fold to
 * themselves.
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
