import { isAscii } from 'node:buffer';
import { BLOCK, ByteScanner, SCANNED_AT_ONCE } from './matching/byte-scanner';
import { nextCard } from './matching/card-scan';
import { nextUnsettled } from './matching/settled-bytes';
import { unescaped } from './text-views';
import { type LineRange, TouchedLines } from './touched-lines';
import type { Triggers } from './triggers';

/** As long as a trigger may be, a card with what stands before it, and more. */
const OVERLAP = 64;
/** Control characters but for white space: they are invisible, so a word may be written around them. */
const INVISIBLE: readonly number[] = [...range(0, 8), ...range(14, 31), 127];
/** In UTF-8. */
const MOST_BYTES_OF_UNIT = 3;
const BACKSLASH = '\\'.charCodeAt(0);
const LINE_FEED = 10;

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
   * For triggers of lines. Which of these whole ones, in UTF-8, have to be looked at: whatever lines come before and after,
   * no find has any part of the others. Those with a backslash always have to: it may begin any escape.
   */
  touched(lines: Buffer): readonly LineRange[] {
    const touched = new TouchedLines(lines);
    for (let at = 0; at < lines.length;) {
      if (touched.areMany(at)) at = touched.add(at, lines.length);
      else if (lines.length - at <= SCANNED_AT_ONCE) at = this.tell(lines, at, lines.length, touched);
      else {
        const end = lines.lastIndexOf(LINE_FEED, at + SCANNED_AT_ONCE - 1) + 1;
        // Of one line of that length nothing is told.
        at = end <= at ? touched.add(at, at) : this.tell(lines, at, end, touched);
      }
    }
    return touched.done();
  }

  /** @returns where to go on: as far as there was a point in asking. */
  private tell(lines: Buffer, start: number, end: number, touched: TouchedLines): number {
    const part = lines.subarray(start, end);
    const { length } = part;
    const tellers = this.tellers(part);
    for (let at = 0; ;) {
      let [from, to] = [length, length];
      for (const teller of tellers) {
        if (teller.next < at) teller.next = teller.find(at);
        if (teller.next < from) [from, to] = [teller.next - teller.reach, teller.next + teller.reach];
      }
      if (from === length) return end;
      at = touched.add(start + Math.max(from, at), start + Math.min(to, length)) - start;
      if (at >= length || touched.areMany(start + at)) return start + at;
    }
  }

  /** What tells where the next place is that has to be looked at. */
  private tellers(part: Buffer): Teller[] {
    const { scanner, triggers } = this;
    const length = scanner.putBytes(part);
    const found = (place: number): number => (place < 0 || place >= length ? Infinity : place);
    const tellers: Teller[] = [
      { next: -1, reach: scanner.longest + BLOCK, find: (from) => found(scanner.next(from, length)) },
      { next: -1, reach: 0, find: (from) => found(part.indexOf(BACKSLASH, from)) },
    ];
    if (triggers.cards)
      tellers.push({ next: -1, reach: 0, find: (from) => found(nextCard(scanner, from, length)) });
    if (!isAscii(part))
      tellers.push({
        next: -1,
        reach: 0,
        find: (from) => found(nextUnsettled(part, from, length, triggers.beyondAscii)),
      });
    return tellers;
  }

  private mayHit(text: string): boolean {
    if (text.length > SCANNED_AT_ONCE / MOST_BYTES_OF_UNIT) return true;
    const { scanner, triggers } = this;
    const length = scanner.put(text);
    // As many bytes as units: all is ASCII.
    if (length !== text.length && nextUnsettled(scanner.text, 0, length, triggers.beyondAscii) >= 0)
      return true;
    return scanner.isFound(length) || (triggers.cards && nextCard(scanner, 0, length) >= 0);
  }
}

/** One of the things that have to be looked at. */
interface Teller {
  /** Where the next one is; -1 before it was looked for. */
  next: number;
  /** It may begin so many bytes before, and end behind. */
  readonly reach: number;
  readonly find: (from: number) => number;
}

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}
