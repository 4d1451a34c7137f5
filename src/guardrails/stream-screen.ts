import type { Mask, OutputScreen, Screened } from '../gate/ports/guardrails';
import { LOOK_BEHIND } from './matching/detectors';
import type { Occurrence } from './text-matcher';
import type { TextSearch } from './text-search';
import { findingsOf } from './findings';

const MASKED = '****';

/** As far back as a search looks from where it may begin, and half a character more. */
const CONTEXT = LOOK_BEHIND + 2;

/**
 * Screens a stream with a bounded look-back. A match counts once as much as the look-back is known after its start,
 * or the stream is over; until then it waits. So no cut hides a hit and none makes one, nothing of a hit is
 * released, and memory is bounded by twice the look-back and one chunk. Longer matches may be seen in part only.
 */
export class StreamScreen implements OutputScreen {
  /** The end of what was released, as context for `^` and `\b`, and then what waits. */
  private held = '';
  private context = 0;
  /** How much of the stream was released. UTF-16 code units. */
  private released = 0;

  constructor(private readonly search: TextSearch) {}

  async push(chunk: string): Promise<Screened> {
    if (this.search.entries.length === 0) return this.releaseUnseen(chunk);
    this.held += chunk;
    const { lookBack } = this.search;
    // Waiting for as much again keeps the cost of small chunks at twice that of one large one.
    if (this.held.length - this.context < 2 * lookBack) return this.pass('', []);
    return this.advance(cutBefore(this.held, this.held.length - lookBack));
  }

  async finish(): Promise<Screened> {
    if (this.held.length === this.context) return this.pass('', []);
    return this.advance(this.held.length);
  }

  private releaseUnseen(chunk: string): Screened {
    this.released += chunk.length;
    return this.pass(chunk, []);
  }

  /** Settles every match that begins before `cut`, and releases up to there. */
  private async advance(cut: number): Promise<Screened> {
    const text = this.held;
    const found = await this.search.find(text, { as: 'stream', from: this.context });
    const { settled, end } = settle(found, cut);
    const blocking = this.firstBlock(settled);
    const offset = this.released - this.context;
    if (blocking !== undefined) {
      this.held = '';
      this.context = 0;
      return { kind: 'block', hit: this.hitOf(blocking, settled, text, offset) };
    }
    const masks = this.masksOf(settled, text);
    const passed = applied(text, this.context, end, masks);
    this.released = offset + end;
    this.context = contextBefore(text, end);
    this.held = text.slice(end - this.context);
    return this.pass(
      passed,
      masks.map((mask) => ({ ...mask, start: mask.start + offset, end: mask.end + offset })),
    );
  }

  private pass(text: string, masks: readonly Mask[]): Screened {
    return { kind: 'pass', text, upTo: this.released, masks };
  }

  private firstBlock(settled: readonly Occurrence[]): number | undefined {
    const blocking = settled.map(({ test }) => test).filter((test) => this.entry(test).mask === undefined);
    return blocking.length === 0 ? undefined : Math.min(...blocking);
  }

  private hitOf(test: number, settled: readonly Occurrence[], text: string, offset: number) {
    const occurrences = settled.filter((occurrence) => occurrence.test === test);
    return this.entry(test).hit(findingsOf(occurrences, text, offset));
  }

  /** Ranges of `text` that do not overlap; where several entries mask, the most reserved has its way. */
  private masksOf(settled: readonly Occurrence[], text: string): Mask[] {
    const merged: (Omit<Mask, 'replacement' | 'bytes'> & { keepLast: number })[] = [];
    // Some patterns match nothing, between any two characters: there is nothing to mask.
    const pieces = settled.filter(({ start, end }) => end > start).sort((a, b) => a.start - b.start);
    for (const { start, end, test, detector } of pieces) {
      const { mask, ruleId, type } = this.entry(test);
      const keepLast = mask?.keepLast ?? 0;
      const last = merged.at(-1);
      if (last === undefined || start >= last.end) {
        merged.push({ start, end, keepLast, ruleId, label: detector ?? type });
      } else {
        merged[merged.length - 1] = {
          ...last,
          end: Math.max(last.end, end),
          keepLast: Math.min(last.keepLast, keepLast),
        };
      }
    }
    return merged.map(({ keepLast, ...mask }) => {
      const match = text.slice(mask.start, mask.end);
      return { ...mask, replacement: MASKED + lastOf(match, keepLast), bytes: Buffer.byteLength(match) };
    });
  }

  private entry(test: number) {
    return this.search.entries[test]!;
  }
}

/** What begins before `cut`, and whatever begins inside of that; `end` is where the last of it ends. */
function settle(found: readonly Occurrence[], cut: number): { settled: Occurrence[]; end: number } {
  const inOrder = [...found].sort((a, b) => a.start - b.start);
  const settled: Occurrence[] = [];
  let end = cut;
  for (const occurrence of inOrder) {
    if (occurrence.start >= end) break;
    settled.push(occurrence);
    end = Math.max(end, occurrence.end);
  }
  return { settled, end };
}

function applied(text: string, from: number, to: number, masks: readonly Mask[]): string {
  let result = '';
  let at = from;
  for (const mask of masks) {
    result += text.slice(at, mask.start) + mask.replacement;
    at = mask.end;
  }
  return result + text.slice(at, to);
}

/** The last characters of a match, unless they are all of it. */
function lastOf(match: string, count: number): string {
  const characters = [...match];
  return count > 0 && characters.length > count ? characters.slice(-count).join('') : '';
}

/** Never between the halves of a surrogate pair: each half alone would be recorded as U+FFFD. */
function cutBefore(text: string, at: number): number {
  return isHighSurrogate(text, at - 1) ? at - 1 : at;
}

/** Length of the context before `at`; it begins with a whole character. */
function contextBefore(text: string, at: number): number {
  const length = Math.min(at, CONTEXT);
  return length > 0 && isHighSurrogate(text, at - length - 1) ? length - 1 : length;
}

function isHighSurrogate(text: string, at: number): boolean {
  return (text.charCodeAt(at) & 0xfc00) === 0xd800;
}
