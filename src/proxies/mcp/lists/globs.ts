import { visibleName } from '../../../kernel/text/names';
import { uriKey, uriReadings } from './uri-readings';

/**
 * Patterns for names of tools and prompts, and for URIs of resources. `*` stands for any number of
 * characters, also none, also `/`; `?` for exactly one (a Unicode code point); everything else for itself.
 * There is no escape. Case matters. The whole name must match, and both are compared in Unicode NFC.
 *
 * Names come from servers that nobody here controls, so the time is linear in the length of the name: all
 * states of a pattern move on together, 32 in one step (Shift-And with gaps: Navarro and Raffinot, "Flexible
 * Pattern Matching in Strings", section 4.3).
 */
export interface GlobList {
  readonly allowed: readonly string[];
  readonly denied: readonly string[];
}

/**
 * Characters. Longer names are not compared: no honest one is so long, and each
 * character costs as much as all patterns together.
 */
const MAX_NAME = 2_048;

/**
 * Whether a name is allowed: no pattern denies it, and one allows it or there are none that allow. A name is
 * denied as well when only its visible characters match, because a server could hide an invisible one in the
 * name; and while there are patterns, a name of more than 2 048 characters is not allowed.
 */
export function isAllowed({ allowed, denied }: GlobList, name: string): boolean {
  if (matchesVisibly(denied, name)) return false;
  return allowed.length === 0 || (name.length <= MAX_NAME && matchesAny(allowed, name));
}

/**
 * The same for a URI, or the template of one. It is denied if anything is that a reader may take it for
 * (`uriReadings`), whatever the spelling of the pattern; and while there are patterns, one that readers take
 * for different things is not allowed.
 */
export function isAllowedUri({ allowed, denied }: GlobList, uri: string): boolean {
  if (allowed.length === 0 && denied.length === 0) return true;
  const { readings, isAmbiguous } = uriReadings(uri);
  if (isAmbiguous) return false;
  const patterns = inAllSpellings(denied);
  const length = readings.reduce((sum, reading) => sum + reading.length, 0);
  if (length * patterns.length > MAX_COMPARED) return false;
  if (readings.some((reading) => matchesAny(patterns, reading))) return false;
  return allowed.length === 0 || matchesAny(allowed, uri);
}

/**
 * Characters times patterns. A URI of 200 characters that 200 patterns deny
 * needs a tenth; more would hold up others.
 */
const MAX_COMPARED = 4_000_000;

const spelled = new WeakMap<readonly string[], readonly string[]>();

/** The patterns as they are written, and as keys. */
function inAllSpellings(globs: readonly string[]): readonly string[] {
  const found = spelled.get(globs);
  if (found !== undefined) return found;
  const made = [...new Set(globs.flatMap((glob) => [glob, uriKey(glob)]))];
  spelled.set(globs, made);
  return made;
}

/**
 * Whether a pattern matches the name or its visible characters; for lists that restrict, also a name that is
 * too long to be compared.
 */
export function matchesVisibly(globs: readonly string[], name: string): boolean {
  if (globs.length === 0) return false;
  return name.length > MAX_NAME || matchesAny(globs, name) || matchesAny(globs, visibleName(name));
}

export function matchesAny(globs: readonly string[], name: string): boolean {
  if (globs.length === 0) return false;
  const symbols = [...name.normalize('NFC')];
  return compiled(globs).some((glob) => glob.matches(symbols));
}

/** Lists are compiled once: a policy is an object that does not change. */
const known = new WeakMap<readonly string[], readonly Glob[]>();

function compiled(globs: readonly string[]): readonly Glob[] {
  const found = known.get(globs);
  if (found !== undefined) return found;
  const made = globs.map((glob) => new Glob(glob));
  known.set(globs, made);
  return made;
}

const WORD = 32;

/** State i: the first i symbols of the pattern have matched; stars are no symbols, they let a state stay. */
class Glob {
  private readonly words: number;
  private readonly last: number;
  /** Bit i: symbol i of the pattern is this character, or `?`. */
  private readonly masks = new Map<string, Uint32Array>();
  private readonly anyMask: Uint32Array;
  /** Bit i: a star follows the first i symbols. */
  private readonly stays: Uint32Array;

  constructor(glob: string) {
    const parts = [...glob.normalize('NFC')];
    const symbols = parts.filter((part) => part !== '*');
    this.last = symbols.length;
    this.words = Math.floor(this.last / WORD) + 1;
    this.stays = new Uint32Array(this.words);
    this.anyMask = new Uint32Array(this.words);
    let passed = 0;
    for (const part of parts) {
      if (part === '*') setBit(this.stays, passed);
      else passed += 1;
    }
    for (const symbol of new Set(symbols)) this.masks.set(symbol, new Uint32Array(this.words));
    for (const [index, symbol] of symbols.entries()) {
      const masks = symbol === '?' ? [this.anyMask, ...this.masks.values()] : [this.masks.get(symbol)];
      for (const mask of masks) if (mask !== undefined) setBit(mask, index + 1);
    }
  }

  matches(name: readonly string[]): boolean {
    const { words, stays } = this;
    const state = new Uint32Array(words);
    setBit(state, 0);
    for (const symbol of name) {
      const mask = this.masks.get(symbol) ?? this.anyMask;
      let carry = 0;
      let live = 0;
      for (let word = 0; word < words; word += 1) {
        const before = state[word] ?? 0;
        const moved = ((before << 1) | carry) & (mask[word] ?? 0);
        carry = before >>> 31;
        const now = (moved | (before & (stays[word] ?? 0))) >>> 0;
        state[word] = now;
        live |= now;
      }
      if (live === 0) return false;
    }
    return (((state[this.last >>> 5] ?? 0) >>> (this.last & 31)) & 1) === 1;
  }
}

function setBit(bits: Uint32Array, index: number): void {
  bits[index >>> 5] = ((bits[index >>> 5] ?? 0) | (1 << (index & 31))) >>> 0;
}
