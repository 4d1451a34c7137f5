import type { Mask, Screened } from '../gate/ports/guardrails';
import { type Eventual, whenThere } from '../kernel/eventual';
import { findingsOf } from './findings';
import { LOOK_BEHIND } from './matching/detectors';
import type { Occurrence } from './occurrence';
import type { TextSearch } from './text-search';

const MASKED = '****';
const SURROGATE = /[\ud800-\udfff]/;

/** As far back as a search looks from where it may begin, and half a character more. */
const CONTEXT = LOOK_BEHIND + 2;

/** Longer chunks are looked at in pieces; once that has taken this long, it is the turn of others. UTF-16 code units. */
const PIECE = 16 * 1024;
const TURN_MS = 2;

/**
 * Screens a stream with a bounded look-back. A match counts once as much as the look-back is known after its start,
 * or the stream is over; until then it waits. So no cut hides a hit and none makes one, nothing of a hit is
 * released, and memory is bounded by a few look-backs and one chunk. Longer matches may be seen in part only.
 */
export class StreamScreen {
  /** The end of what was released, as context for `^` and `\b`, and then what waits. */
  private held = '';
  private context = 0;
  /** So much of `held` surely holds nothing, by itself. */
  private cleared = 0;
  /** How much of the stream was released. UTF-16 code units. */
  private released = 0;
  /** Why nothing more is released: a hit, or a failure. */
  private over: { readonly screened: Screened } | { readonly error: unknown } | undefined;

  constructor(private readonly search: TextSearch) {}

  push(chunk: string): Eventual<Screened> {
    if (this.search.entries.length === 0) return this.releaseUnseen(chunk);
    return this.unlessOver(() => this.take(chunk, 0, { since: performance.now(), texts: [], masks: [] }));
  }

  finish(): Eventual<Screened> {
    return this.unlessOver(() =>
      this.held.length === this.context ? this.pass('', []) : this.advance(this.held.length, 0),
    );
  }

  /** So much of the stream was released. UTF-16 code units. */
  get upTo(): number {
    return this.released;
  }

  /** After `finish`: begins anew, as much further on in the stream. */
  begin(units: number): void {
    this.stopHolding();
    this.cleared = 0;
    this.released += units;
  }

  /** Takes a chunk from there on, and releases what it can together with what was `gathered`. */
  private take(chunk: string, from: number, gathered: Gathered): Eventual<Screened> {
    const { lookBack } = this.search;
    for (let at = from; at < chunk.length; at += PIECE) {
      if (at > 0 && performance.now() - gathered.since > TURN_MS)
        return nextTurn().then(() => this.take(chunk, at, { ...gathered, since: performance.now() }));
      this.held += chunk.length > PIECE ? chunk.slice(at, at + PIECE) : chunk;
      // Waiting for as much again keeps the cost of small chunks at twice that of one large one.
      if (this.held.length - this.context < 2 * lookBack) continue;
      const next = this.advance(cutBefore(this.held, this.held.length - lookBack), lookBack);
      if (next instanceof Promise)
        return next.then((screened) =>
          gather(gathered, screened) ? this.take(chunk, at + PIECE, gathered) : screened,
        );
      if (!gather(gathered, next)) return next;
    }
    return this.pass(gathered.texts.join(''), gathered.masks);
  }

  /** What was stopped stays stopped. */
  private unlessOver(work: () => Eventual<Screened>): Eventual<Screened> {
    if (this.over !== undefined && 'error' in this.over) throw this.over.error;
    if (this.over !== undefined) return this.over.screened;
    try {
      const screened = work();
      return screened instanceof Promise
        ? screened.then(this.settled, (error: unknown) => this.fail(error))
        : this.settled(screened);
    } catch (error) {
      return this.fail(error);
    }
  }

  private readonly settled = (screened: Screened): Screened => {
    if (screened.kind === 'block') this.stop({ screened });
    return screened;
  };

  private fail(error: unknown): never {
    this.stop({ error });
    throw error;
  }

  private stop(over: NonNullable<StreamScreen['over']>): void {
    this.over = over;
    this.stopHolding();
  }

  private stopHolding(): void {
    this.held = '';
    this.context = 0;
  }

  private releaseUnseen(chunk: string): Screened {
    this.released += chunk.length;
    return this.pass(chunk, []);
  }

  /** Settles every match that begins before `cut`, and releases up to there; up to `back` less, to keep matches whole. */
  private advance(cut: number, back: number): Eventual<Screened> {
    if (!this.search.mayHoldInStream(this.held, this.cleared)) {
      this.cleared = this.held.length;
      return this.settle([], cut, back);
    }
    this.cleared = 0;
    const found = this.search.find(this.held, { as: 'stream', from: this.context });
    return whenThere(found, (occurrences) => this.settle(occurrences, cut, back));
  }

  private settle(occurrences: readonly Occurrence[], cut: number, back: number): Screened {
    const text = this.held;
    const offset = this.released - this.context;
    const found = occurrences.length === 0 ? occurrences : occurrences.toSorted((a, b) => a.start - b.start);
    const blocking = this.firstBlock(found, cut);
    if (blocking !== undefined) return { kind: 'block', hit: this.hitOf(blocking, found, text, offset) };
    const end = wholeUpTo(found, cut, Math.max(cut - back, this.context));
    const masks = this.masksOf(found, end, text, offset);
    // Only a match that is longer than the look-back ends behind `end`: it is masked as far as it is known.
    const upTo = Math.max(end, (masks.at(-1)?.end ?? offset) - offset);
    const passed = applied(text, this.context, upTo, masks, offset);
    this.released = offset + upTo;
    this.context = contextBefore(text, upTo);
    this.held = text.slice(upTo - this.context);
    this.cleared = Math.max(0, this.cleared - (upTo - this.context));
    return this.pass(passed, masks);
  }

  private pass(text: string, masks: readonly Mask[]): Screened & { kind: 'pass' } {
    return { kind: 'pass', text, upTo: this.released, masks };
  }

  private firstBlock(found: readonly Occurrence[], before: number): number | undefined {
    let first: number | undefined;
    for (const { start, test } of found) {
      if (start < before && this.entry(test).mask === undefined && (first === undefined || test < first))
        first = test;
    }
    return first;
  }

  private hitOf(test: number, found: readonly Occurrence[], text: string, offset: number) {
    const occurrences = found.filter((occurrence) => occurrence.test === test);
    return this.entry(test).hit(findingsOf(occurrences, text, offset));
  }

  /** Ranges that do not overlap, in offsets of the stream; where several entries mask, the most reserved has its way. */
  private masksOf(found: readonly Occurrence[], before: number, text: string, offset: number): Mask[] {
    const merged: MergedMask[] = [];
    for (const { start, end, test, detector } of found) {
      const last = merged.at(-1);
      if (start >= Math.max(before, last?.end ?? 0)) break;
      // Some patterns match nothing, between any two characters: there is nothing to mask.
      if (end === start) continue;
      const { mask, ruleId, type } = this.entry(test);
      const keepLast = mask?.keepLast ?? 0;
      if (last === undefined || start >= last.end) {
        merged.push({ start, end, keepLast, ruleId, label: detector ?? type });
      } else {
        last.end = Math.max(last.end, end);
        last.keepLast = Math.min(last.keepLast, keepLast);
      }
    }
    return merged.map((one) => maskOf(one, text, offset));
  }

  private entry(test: number) {
    return this.search.entries[test]!;
  }
}

/** A mask in the making, in offsets of the text that is looked at. */
interface MergedMask {
  start: number;
  end: number;
  keepLast: number;
  ruleId: string;
  label: string;
}

/** Field by field: a text may hold a million, and to spread objects takes ten times as long. */
function maskOf({ start, end, keepLast, ruleId, label }: MergedMask, text: string, offset: number): Mask {
  const match = text.slice(start, end);
  const replacement = keepLast === 0 ? MASKED : MASKED + lastOf(match, keepLast);
  const bytes = Buffer.byteLength(match);
  return { start: offset + start, end: offset + end, replacement, ruleId, label, bytes };
}

/** What a chunk releases, piece by piece. */
interface Gathered {
  /** When this turn began. */
  readonly since: number;
  readonly texts: string[];
  readonly masks: Mask[];
}

/** False for a block: that is all there is to say. */
function gather({ texts, masks }: Gathered, screened: Screened): boolean {
  if (screened.kind === 'block') return false;
  texts.push(screened.text);
  for (const mask of screened.masks) masks.push(mask);
  return true;
}

/** The last place up to `cut` that is inside of no match; `cut` itself where that would be before `least`. */
function wholeUpTo(found: readonly Occurrence[], cut: number, least: number): number {
  // The run of matches, each beginning inside of those before, that reaches furthest.
  let runStart = 0;
  let runEnd = 0;
  for (const { start, end } of found) {
    if (start >= cut) break;
    if (start >= runEnd) runStart = start;
    runEnd = Math.max(runEnd, end);
  }
  const isInside = runStart < cut && runEnd > cut;
  return isInside && runStart > least ? runStart : cut;
}

/** Joined, because a text that is added up holds on to each of its parts for as long as it is kept. */
function applied(text: string, from: number, to: number, masks: readonly Mask[], offset: number): string {
  if (masks.length === 0) return text.slice(from, to);
  const parts: string[] = [];
  let at = from;
  for (const { start, end, replacement } of masks) {
    parts.push(text.slice(at, start - offset), replacement);
    at = end - offset;
  }
  parts.push(text.slice(at, to));
  return parts.join('');
}

/** The last characters of a match, unless they are all of it. */
function lastOf(match: string, count: number): string {
  const tail = match.slice(-2 * count - 1);
  if (!SURROGATE.test(tail)) return match.length > count ? match.slice(-count) : '';
  const characters = Array.from(tail);
  return characters.length > count ? characters.slice(-count).join('') : '';
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

/** Made here, because a promise of Node's own may be none to `instanceof Promise`: tests run in a realm of theirs. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
