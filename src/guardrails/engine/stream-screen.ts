import type { JudgedFor, Mask, Screened } from '../../gate/ports/guardrails';
import { type MaybePromise, thenMaybe } from '../../kernel/async/maybe-promise';
import { findingsOf } from '../analysis/findings';
import { LOOK_BEHIND } from '../matching/detectors';
import type { Occurrence } from '../analysis/occurrence';
import { masksIn, withMasks } from './stream-masks';
import type { TextSearch } from './text-search';

const NO_MASKS: readonly Mask[] = [];

/** Size of the context: as far as a search looks back from where it may begin, and half a character more. */
const CONTEXT = LOOK_BEHIND + 2;

/**
 * Longer chunks are searched in pieces of this many UTF-16 code units; after
 * `TURN_MS` the event loop gets a turn.
 */
const PIECE = 16 * 1024;
const TURN_MS = 2;

/**
 * Screens a stream with a bounded look-back. A match is settled once the look-back after its start is known,
 * or the stream has ended; until then its text is held. So the place of a cut neither hides a hit nor makes
 * one, no part of a hit is released, and memory is bounded by a few look-backs and one chunk. A match longer
 * than the look-back may be found only in part.
 */
export class StreamScreen {
  /** First `context` units that were already released (for `^` and `\b`), then the text that is held. */
  private held = '';
  private context = 0;
  /** The first `cleared` units of `held` are known to hold no match by themselves. */
  private cleared = 0;
  /** Length of the released part of the stream, in UTF-16 code units. */
  private released = 0;
  /** Set once the stream is stopped, by a hit or a failure: nothing more is released. */
  private over: { readonly screened: Screened } | { readonly error: unknown } | undefined;

  constructor(
    private readonly search: TextSearch,
    private readonly owner?: JudgedFor,
  ) {}

  push(chunk: string): MaybePromise<Screened> {
    if (this.search.entries.length === 0) return this.releaseUnseen(chunk);
    return this.unlessOver(() =>
      this.screenChunk(chunk, 0, { since: performance.now(), texts: [], masks: [] }),
    );
  }

  /** Whether nothing is held, and the stream goes on. */
  get isAtRest(): boolean {
    return this.over === undefined && this.held.length === this.context;
  }

  finish(): MaybePromise<Screened> {
    if (this.isAtRest) return this.pass('', NO_MASKS);
    return this.unlessOver(() => this.advance(this.held.length, 0));
  }

  /** Length of the released part of the stream, in UTF-16 code units. */
  get upTo(): number {
    return this.released;
  }

  /** After `finish`: starts again, `units` further on in the stream. */
  begin(units: number): void {
    this.stopHolding();
    this.cleared = 0;
    this.released += units;
  }

  /** Screens the chunk from `from` on. Returns what can be released, together with what was `gathered`. */
  private screenChunk(chunk: string, from: number, gathered: Gathered): MaybePromise<Screened> {
    const { lookBack } = this.search;
    for (let at = from; at < chunk.length; at += PIECE) {
      if (at > 0 && performance.now() - gathered.since > TURN_MS)
        return nextTurn().then(() => this.screenChunk(chunk, at, { ...gathered, since: performance.now() }));
      this.held += chunk.length > PIECE ? chunk.slice(at, at + PIECE) : chunk;
      // Waiting for a second look-back keeps small chunks within twice the cost of one large chunk.
      if (this.held.length - this.context < 2 * lookBack) continue;
      const next = this.advance(this.cutFor(lookBack), lookBack);
      if (next instanceof Promise)
        return next.then((screened) =>
          gather(gathered, screened) ? this.screenChunk(chunk, at + PIECE, gathered) : screened,
        );
      if (!gather(gathered, next)) return next;
    }
    return this.pass(gathered.texts.join(''), gathered.masks);
  }

  /**
   * The place of the next cut. It is not within a value in hexadecimal digits, whose rest would not be known
   * as such (`hexViews`), unless that value is longer than the look-back.
   */
  private cutFor(lookBack: number): number {
    const cut = this.held.length - lookBack;
    const value = this.held.lastIndexOf('\\x', cut);
    const isWithin = value > cut - lookBack && /^[\da-f]*$/.test(this.held.slice(value + 2, cut));
    return cutBefore(this.held, isWithin && value > this.context ? value - 1 : cut);
  }

  /** A stopped stream stays stopped: it repeats its block or its error. */
  private unlessOver(work: () => MaybePromise<Screened>): MaybePromise<Screened> {
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

  /**
   * Settles every match that begins before `cut`, and releases the text up to
   * `cut`, or up to `back` less, to keep matches whole.
   */
  private advance(cut: number, back: number): MaybePromise<Screened> {
    if (!this.search.mayHoldInStream(this.held, this.cleared)) {
      this.cleared = this.held.length;
      return this.settle([], cut, back);
    }
    this.cleared = 0;
    const found = this.search.find(this.held, { as: 'stream', from: this.context }, this.owner);
    return thenMaybe(found, (occurrences) => this.settle(occurrences, cut, back));
  }

  private settle(occurrences: readonly Occurrence[], cut: number, back: number): Screened {
    const text = this.held;
    const offset = this.released - this.context;
    const found = occurrences.length === 0 ? occurrences : occurrences.toSorted((a, b) => a.start - b.start);
    const blocking = this.firstBlock(found, cut);
    if (blocking !== undefined) return { kind: 'block', hit: this.hitOf(blocking, found, text, offset) };
    const end = wholeUpTo(found, cut, Math.max(cut - back, this.context));
    const masks = masksIn(found, end, text, { offset, entries: this.search.entries });
    // Only a match longer than the look-back ends after `end`: its known part is masked.
    const upTo = Math.max(end, (masks.at(-1)?.end ?? offset) - offset);
    const passed = withMasks(text, this.context, upTo, masks, offset);
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

  private entry(test: number) {
    return this.search.entries[test]!;
  }
}

/** Parts that the pieces of a chunk release. */
interface Gathered {
  /** Start of this turn of the event loop, in milliseconds. */
  readonly since: number;
  readonly texts: string[];
  readonly masks: Mask[];
}

/** Adds what a piece releases. False for a block, which replaces everything gathered. */
function gather({ texts, masks }: Gathered, screened: Screened): boolean {
  if (screened.kind === 'block') return false;
  texts.push(screened.text);
  for (const mask of screened.masks) masks.push(mask);
  return true;
}

/**
 * The last place up to `cut` that is inside no match; `cut` itself when that place would be before `least`.
 */
function wholeUpTo(found: readonly Occurrence[], cut: number, least: number): number {
  // The run of overlapping matches that ends last.
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

/** A promise of this realm: in tests, promises of Node's own timers may fail `instanceof Promise`. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
