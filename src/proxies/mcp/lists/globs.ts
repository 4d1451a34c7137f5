import { visibleName } from '../../../kernel/text/names';
import { uriKey, uriReadings } from './uri-readings';

/**
 * Patterns for names of tools and prompts, and for URIs of resources. `*` stands for any number of
 * characters, including none and `/`. `?` stands for exactly one character (a Unicode code point). Every
 * other character stands for itself. There is no escape. Case matters. The whole name must match. Pattern and
 * name are compared in Unicode NFC.
 *
 * Servers choose the names, so the time is linear in the length of the name: all states of a pattern advance
 * together, 32 in one step (Shift-And with gaps: Navarro and Raffinot, "Flexible Pattern Matching in
 * Strings", section 4.3).
 */
export interface GlobList {
  readonly allowed: readonly string[];
  readonly denied: readonly string[];
}

/**
 * Maximum number of characters in a compared name. No honest name is longer, and each character is compared
 * with all patterns.
 */
const MAX_NAME = 2_048;

/**
 * Whether a name is allowed: no pattern denies it, and a pattern allows it or there are no allowing patterns.
 * A name is also denied if its visible characters match, because a server could hide invisible ones in it. If
 * there are patterns, a name of more than 2 048 characters is not allowed.
 */
export function isAllowed({ allowed, denied }: GlobList, name: string): boolean {
  if (matchesVisibly(denied, name)) return false;
  return allowed.length === 0 || (name.length <= MAX_NAME && matchesAny(allowed, name));
}

/**
 * Whether a URI or a URI template is allowed, like `isAllowed`. It is denied if a denying pattern, in any
 * spelling, matches any form in which a program may read the URI (`uriReadings`). If there are patterns, a
 * URI that two programs may read differently is not allowed.
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
 * Maximum product of compared characters and patterns. A URI above it is not allowed, because the comparison
 * would block the event loop. A URI of 200 characters with 200 denying patterns needs a tenth of the maximum.
 */
const MAX_COMPARED = 4_000_000;

const spelled = new WeakMap<readonly string[], readonly string[]>();

/** Returns each pattern in two spellings: as written, and normalized by `uriKey`. */
function inAllSpellings(globs: readonly string[]): readonly string[] {
  const found = spelled.get(globs);
  if (found !== undefined) return found;
  const made = [...new Set(globs.flatMap((glob) => [glob, uriKey(glob)]))];
  spelled.set(globs, made);
  return made;
}

/**
 * Whether a pattern matches the name or its visible characters. Returns true for a name that is too long to
 * compare, because the patterns restrict what is allowed.
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

/** Compiled lists of patterns. Each list is compiled once, because a policy object never changes. */
const known = new WeakMap<readonly string[], readonly Glob[]>();

function compiled(globs: readonly string[]): readonly Glob[] {
  const found = known.get(globs);
  if (found !== undefined) return found;
  const made = globs.map((glob) => new Glob(glob));
  known.set(globs, made);
  return made;
}

const WORD = 32;

/** A compiled pattern. State i: the first i symbols have matched. A star is no symbol; it repeats a state. */
class Glob {
  private readonly words: number;
  private readonly last: number;
  /** Bit mask of each character. Bit i is set if symbol i, counted from 1, is this character or `?`. */
  private readonly masks = new Map<string, Uint32Array>();
  private readonly anyMask: Uint32Array;
  /** Bit i is set if a star follows the first i symbols. */
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
