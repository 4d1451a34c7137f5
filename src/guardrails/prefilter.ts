import { isAscii } from 'node:buffer';
import { ByteScanner, SCANNED_AT_ONCE } from './matching/byte-scanner';
import { mayHoldCard } from './matching/card-scan';
import { areSettled } from './matching/settled-bytes';
import { unescaped } from './text-views';
import type { Triggers } from './triggers';

/** As long as a trigger may be, a card with what stands before it, and more. */
const OVERLAP = 64;
/** Control characters but for white space: they are invisible, so a word may be written around them. */
const INVISIBLE: readonly number[] = [...range(0, 8), ...range(14, 31), 127];
/** In UTF-8. */
const MOST_BYTES_OF_UNIT = 3;
const BACKSLASH = '\\'.charCodeAt(0);
const SPACE = 32;

/**
 * Tells at gigabytes a second that entries find nothing in a text, in whatever way they read it: nothing is there that
 * any of their finds must hold. Where it cannot tell, they have to look.
 */
export class Prefilter {
  private constructor(
    private readonly scanner: ByteScanner,
    private readonly triggers: Triggers,
  ) {}

  /** Undefined where nothing can be told, or it would not pay. */
  static of(triggers: Triggers | undefined): Prefilter | undefined {
    if (triggers === undefined) return undefined;
    const singles = new Set([...triggers.singles, ...INVISIBLE]);
    const scanner = ByteScanner.of({ sequences: triggers.sequences, singles });
    return scanner === undefined ? undefined : new Prefilter(scanner, triggers);
  }

  /** False: nothing is found in a text by itself, nor when its white space is folded. */
  mayHitText(text: string): boolean {
    return this.mayHit(text) || (/[\t-\r]| {2}/.test(text) && this.mayHit(text.replaceAll(/\s+/g, ' ')));
  }

  /**
   * False: nothing is found in a piece of a stream, as it is or with the escapes of rendered cells undone.
   * @param from what is before was told of, in the same piece
   */
  mayHitStream(text: string, from: number): boolean {
    if (text.includes('\\')) return this.mayHit(text) || this.mayHit(unescaped(text).text);
    return this.mayHit(from <= OVERLAP ? text : text.slice(from - OVERLAP));
  }

  /**
   * For triggers of lines. False: whatever lines come before and after these whole ones, in UTF-8, no find has any part
   * of them. Lines with a backslash are not told: what it stands for could be anything.
   */
  mayTouch(lines: Uint8Array): boolean {
    if (lines.length > SCANNED_AT_ONCE) {
      const half = lines.lastIndexOf(10, lines.length >> 1) + 1;
      // One line of that length is not looked at here.
      return half === 0 || this.mayTouch(lines.subarray(0, half)) || this.mayTouch(lines.subarray(half));
    }
    const length = this.scanner.putBytes(lines);
    return (
      isBlank(lines) || lines.includes(BACKSLASH) || this.mayHold(length, isAscii(lines) ? length : undefined)
    );
  }

  private mayHit(text: string): boolean {
    if (text.length > SCANNED_AT_ONCE / MOST_BYTES_OF_UNIT) return true;
    return this.mayHold(this.scanner.put(text), text.length);
  }

  /** @param units as many as `length` when all is ASCII; undefined when that is not known. */
  private mayHold(length: number, units: number | undefined): boolean {
    const { scanner, triggers } = this;
    if (length !== units && !areSettled(scanner.text, length, triggers.beyondAscii)) return true;
    return scanner.isFound(length) || (triggers.cards && mayHoldCard(scanner, length));
  }
}

/** Only white space: lines in which a phrase may go on that begins before them and ends behind. */
function isBlank(lines: Uint8Array): boolean {
  return lines.every((byte) => byte <= SPACE);
}

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}
