import { isAscii } from 'node:buffer';
import { BLOCK, ByteScanner, SCANNED_AT_ONCE } from '../matching/byte-scanner';
import { MappedText } from '../../languages/text/mapped-text';
import { nextCard } from '../matching/card-scan';
import { nextUnsettled } from '../matching/settled-bytes';
import { hexViews, unescaped } from './text-views';
import { type LineRange, TouchedLines } from './touched-lines';
import type { Triggers } from './triggers';

/**
 * Number of code units before the new text that are checked again, because a trigger may begin in them. No
 * trigger is longer, and no payment card number with its context is longer.
 */
const OVERLAP = 64;
/** Control characters except white space. They are invisible, so a text may hide a word by inserting them. */
const INVISIBLE: readonly number[] = [...range(0, 8), ...range(14, 31), 127];
/** Maximum number of UTF-8 bytes for one UTF-16 code unit. */
const MOST_BYTES_OF_UNIT = 3;
/**
 * Lines up to this size in total are first checked together, because usually all or none must be searched.
 */
const FEW_BYTES = 4 * 1024;
const BACKSLASH = '\\'.charCodeAt(0);
const LINE_FEED = 10;

/**
 * Finds texts that no entry matches, at gigabytes a second. A text without any of the `Triggers` has no
 * match, because every match contains a trigger. All other texts must be searched. No match is missed.
 */
export class Prefilter {
  private constructor(
    private readonly scanner: ByteScanner,
    private readonly triggers: Triggers,
  ) {}

  /** Returns undefined when there are no triggers, or when scanning would cost more than it saves. */
  static of(triggers: Triggers | undefined): Prefilter | undefined {
    if (triggers === undefined) return undefined;
    const singles = new Set([...triggers.singles, ...INVISIBLE]);
    const scanner = ByteScanner.of({ sequences: triggers.sequences, singles });
    return scanner === undefined ? undefined : new Prefilter(scanner, triggers);
  }

  /** Returns false only if no entry matches the text, neither as it is nor with white space folded. */
  mayHitText(text: string): boolean {
    return this.mayHit(text) || (/[\t-\r]| {2}/.test(text) && this.mayHit(text.replaceAll(/\s+/g, ' ')));
  }

  /**
   * Returns false only if no entry matches this piece of a stream, neither as it is nor in one of its views
   * (`findInStream`).
   * @param from offset in the piece; the text before it was already checked.
   */
  mayHitStream(text: string, from: number): boolean {
    const cells = text.includes('\\') ? unescaped(text) : MappedText.unchanged(text);
    const views = cells.text === text ? [] : [cells];
    views.push(...hexViews(cells));
    if (views.length > 0) return this.mayHit(text) || views.some((view) => this.mayHit(view.text));
    return this.mayHit(from <= OVERLAP ? text : text.slice(from - OVERLAP));
  }

  /**
   * Returns the ranges of lines that must be searched. `lines` has whole lines in UTF-8. No match can include
   * any part of the other lines, whatever lines come before and after. Requires triggers for lines
   * (`triggersOfLines`). A line with a backslash must always be searched, because any escape may begin there.
   */
  touched(lines: Buffer): readonly LineRange[] {
    const touched = new TouchedLines(lines);
    if (lines.length <= FEW_BYTES && !this.mayTouch(lines)) return touched.done();
    for (let at = 0; at < lines.length;) {
      if (touched.areMany(at)) at = touched.add(at, lines.length);
      else if (lines.length - at <= SCANNED_AT_ONCE)
        at = this.markTouchedLines(lines, at, lines.length, touched);
      else {
        const end = lines.lastIndexOf(LINE_FEED, at + SCANNED_AT_ONCE - 1) + 1;
        // A line that exceeds the scan memory is searched without a check.
        at = end <= at ? touched.add(at, at) : this.markTouchedLines(lines, at, end, touched);
      }
    }
    return touched.done();
  }

  /** Whether any of a few lines must be searched. Makes the same checks as `tellers`, with less setup. */
  private mayTouch(lines: Buffer): boolean {
    const { scanner, triggers } = this;
    const length = scanner.putBytes(lines);
    return (
      scanner.isFound(length) ||
      lines.includes(BACKSLASH) ||
      (triggers.cards && nextCard(scanner, 0, length) >= 0) ||
      (!isAscii(lines) && nextUnsettled(lines, 0, length, triggers.beyondAscii) >= 0)
    );
  }

  /**
   * In one part of the text, marks the lines that must be searched. @returns the offset at which the caller
   * continues; it is before `end` if the rest should be searched without a check.
   */
  private markTouchedLines(lines: Buffer, start: number, end: number, touched: TouchedLines): number {
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

  /** Returns the scans of `part`. Each scan finds the next place near which the text must be searched. */
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
    // If the text has as many bytes as code units, all of it is ASCII.
    if (length !== text.length && nextUnsettled(scanner.text, 0, length, triggers.beyondAscii) >= 0)
      return true;
    return scanner.isFound(length) || (triggers.cards && nextCard(scanner, 0, length) >= 0);
  }
}

/** One scan for the offsets near which the text must be searched. */
interface Teller {
  /** Offset of the next place that must be searched; -1 before the first scan. */
  next: number;
  /** A match may begin this many bytes before the place, and end this many after it. */
  readonly reach: number;
  readonly find: (from: number) => number;
}

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}
