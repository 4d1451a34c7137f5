import type { JudgedFor, Mask, Screened } from '../../gate/ports/guardrails';
import { type MaybePromise, thenMaybe } from '../../kernel/async/maybe-promise';
import { findingsOf } from '../analysis/findings';
import { LOOK_BEHIND } from '../matching/detectors';
import type { Occurrence } from '../analysis/occurrence';
import { masksIn, withMasks } from './stream-masks';
import type { TextSearch } from './text-search';

const NO_MASKS: readonly Mask[] = [];

/** Length of the context: the look-behind of a search, and a margin for a split surrogate pair. */
const CONTEXT = LOOK_BEHIND + 2;

/**
 * Longer chunks are searched in pieces of this many UTF-16 code units. After `TURN_MS`, other work gets a
 * turn of the event loop.
 */
const PIECE = 16 * 1024;
const TURN_MS = 2;

/**
 * Screens a stream with a bounded look-back. Holds text until at least one look-back of further text has
 * arrived, or until the stream ends. So the place where the stream is cut neither hides nor creates a hit, no
 * part of a hit is released, and memory is bounded by a few look-backs and one chunk. A match longer than the
 * look-back may be found only in part.
 */
export class StreamScreen {
  /**
   * The last `context` units that were released, which `^` and `\b` need, followed by the text that is held.
   */
  private held = '';
  private context = 0;
  /**
   * Number of units at the end of the context that are searched again, because `flush` released them before
   * the text after them was known.
   */
  private flushed = 0;
  /** Number of units at the start of `held` that were already checked and contain no whole match. */
  private cleared = 0;
  /** Length of the released part of the stream, in UTF-16 code units. */
  private released = 0;
  /** Set once the stream is stopped, by a hit or a failure: nothing more is released. */
  private over: { readonly screened: Screened } | { readonly error: unknown } | undefined;

  constructor(
    private readonly search: TextSearch,
    private readonly owner?: JudgedFor,
    before = '',
  ) {
    this.held = before;
    this.context = before.length;
    this.flushed = before.length;
  }

  /** See `OutputScreen.before`. */
  get before(): string {
    return this.held.slice(0, this.context);
  }

  push(chunk: string): MaybePromise<Screened> {
    if (this.search.entries.length === 0) return this.releaseUnseen(chunk);
    return this.unlessOver(() =>
      this.screenChunk(chunk, 0, { since: performance.now(), texts: [], masks: [] }),
    );
  }

  /** Whether nothing is held, and the stream continues. */
  get isAtRest(): boolean {
    return this.over === undefined && this.held.length === this.context;
  }

  finish(): MaybePromise<Screened> {
    if (this.isAtRest) return this.pass('', NO_MASKS);
    return this.unlessOver(() => this.advance(this.held.length, 0));
  }

  /**
   * Releases what is held, for a person who waits for it. A hit that begins in it and that later text
   * completes is still found: it blocks the stream, or its later part is masked.
   */
  flush(): MaybePromise<Screened> {
    if (this.isAtRest) return this.pass('', NO_MASKS);
    const { lookBack } = this.search;
    return this.unlessOver(() =>
      thenMaybe(this.advance(this.held.length, 0, lookBack), (screened) => {
        this.flushed = Math.min(lookBack, this.context);
        return screened;
      }),
    );
  }

  /** Length of the released part of the stream, in UTF-16 code units. */
  get upTo(): number {
    return this.released;
  }

  /**
   * Restarts the screen after `finish`. The next `units` code units of the stream are released unscreened.
   */
  begin(units: number): void {
    this.stopHolding();
    this.cleared = 0;
    this.released += units;
  }

  /**
   * Screens the chunk from offset `from`. Returns the `gathered` text, followed by the text that can now be
   * released.
   */
  private screenChunk(chunk: string, from: number, gathered: Gathered): MaybePromise<Screened> {
    const { lookBack } = this.search;
    for (let at = from; at < chunk.length; at += PIECE) {
      if (at > 0 && performance.now() - gathered.since > TURN_MS)
        return nextTurn().then(() => this.screenChunk(chunk, at, { ...gathered, since: performance.now() }));
      this.held += chunk.length > PIECE ? chunk.slice(at, at + PIECE) : chunk;
      // Searches only once two look-backs are held, so that small chunks cost at most twice as much as a
      // large one.
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
   * Returns the offset of the next cut. A cut is not placed inside a value in hexadecimal digits, because the
   * rest of the value would not be recognized as one (`hexViews`), unless the value is longer than the
   * look-back.
   */
  private cutFor(lookBack: number): number {
    const cut = this.held.length - lookBack;
    const value = this.held.lastIndexOf('\\x', cut);
    const isWithin = value > cut - lookBack && /^[\da-f]*$/.test(this.held.slice(value + 2, cut));
    return cutBefore(this.held, isWithin && value > this.context ? value - 1 : cut);
  }

  /**
   * Runs `work` unless the stream is stopped. For a stopped stream, returns the result that blocked it again,
   * or throws the error that stopped it again.
   */
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
    this.flushed = 0;
  }

  private releaseUnseen(chunk: string): Screened {
    this.released += chunk.length;
    return this.pass(chunk, []);
  }

  /**
   * Blocks or masks every match that begins before `cut`. Releases the text up to `cut`. If `cut` is inside a
   * match, releases up to `back` units less.
   * @param kept number of released units that stay in `held`, in addition to the context of a search
   */
  private advance(cut: number, back: number, kept = 0): MaybePromise<Screened> {
    if (!this.search.mayHoldInStream(this.held, this.cleared)) {
      this.cleared = this.held.length;
      return this.settle([], cut, back, kept);
    }
    this.cleared = 0;
    const from = this.context - this.flushed;
    const found = this.search.find(this.held, { as: 'stream', from }, this.owner);
    return thenMaybe(found, (occurrences) => this.settle(this.unreleased(occurrences), cut, back, kept));
  }

  /** The occurrences without those that were released as a whole; of others, the part that was not. */
  private unreleased(found: readonly Occurrence[]): readonly Occurrence[] {
    if (this.flushed === 0 || found.length === 0) return found;
    const { context } = this;
    return found
      .filter(({ end }) => end > context)
      .map((each) => (each.start < context ? { ...each, start: context } : each));
  }

  private settle(occurrences: readonly Occurrence[], cut: number, back: number, kept: number): Screened {
    const text = this.held;
    const offset = this.released - this.context;
    const found = occurrences.length === 0 ? occurrences : occurrences.toSorted((a, b) => a.start - b.start);
    const blocking = this.firstBlock(found, cut);
    if (blocking !== undefined) return { kind: 'block', hit: this.hitOf(blocking, found, text, offset) };
    const end = wholeUpTo(found, cut, Math.max(cut - back, this.context));
    const masks = masksIn(found, end, text, { offset, entries: this.search.entries });
    // A match ends after `end` only if it is longer than the look-back. Its known part is masked.
    const upTo = Math.max(end, (masks.at(-1)?.end ?? offset) - offset);
    const passed = withMasks(text, this.context, upTo, masks, offset);
    this.released = offset + upTo;
    this.context = contextBefore(text, upTo, kept);
    this.flushed = 0;
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

/** The text and masks that the pieces of a chunk have released so far. */
interface Gathered {
  /** Start of this turn of the event loop, in milliseconds. */
  readonly since: number;
  readonly texts: string[];
  readonly masks: Mask[];
}

/** Adds the text that a piece releases. Returns false for a block, which replaces all gathered text. */
function gather({ texts, masks }: Gathered, screened: Screened): boolean {
  if (screened.kind === 'block') return false;
  texts.push(screened.text);
  for (const mask of screened.masks) masks.push(mask);
  return true;
}

/**
 * Returns `cut` if it is inside no match. Otherwise returns the last offset before `cut` that is inside no
 * match; if that offset is not after `least`, returns `cut`.
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

/** Returns `at`, or `at - 1` inside a surrogate pair, because each half would be recorded as U+FFFD. */
function cutBefore(text: string, at: number): number {
  return isHighSurrogate(text, at - 1) ? at - 1 : at;
}

/** Returns the length of the context before `at`, such that it begins with a whole character. */
function contextBefore(text: string, at: number, kept: number): number {
  const length = Math.min(at, CONTEXT + kept);
  return length > 0 && isHighSurrogate(text, at - length - 1) ? length - 1 : length;
}

function isHighSurrogate(text: string, at: number): boolean {
  return (text.charCodeAt(at) & 0xfc00) === 0xd800;
}

/** Uses the global `Promise`, because in tests promises of Node's timers may fail `instanceof Promise`. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
