import { type MaybePromise, thenMaybe } from '../kernel/async/maybe-promise';
import { inSlices } from '../kernel/async/time-slice';
import { textOf } from '../kernel/text/utf8';
import type { GuardedTrail } from './guarded-trail';
import type { MaskColumns } from './mask-columns';
import type { PendingEvents } from './pending-events';
import type { Mask, OutputScreen, Screened } from './ports/guardrails';
import type { Blocked } from './refusal';
import { type ScreenedPieces, screenPieces } from './screened-pieces';

/**
 * The part of a stream that may be delivered when its recording is durable. Callers that do not keep their
 * own messages deliver `text`. Other callers deliver each message whose text ends at or before `upTo`, with
 * `masks` applied. Offsets count UTF-16 code units from the start of the stream.
 */
export type Delivery<T = string> =
  | { readonly kind: 'deliver'; readonly text: T; readonly upTo: number; readonly masks: readonly Mask[] }
  | Blocked;

/** The result of screening a large text in pieces: deliver it with masks, or block it. */
export type LargeDelivery =
  | {
      readonly kind: 'deliver';
      /** Length of the text in UTF-16 code units; 0 when no rule screens it. */
      readonly units: number;
      readonly upTo: number;
      readonly masks: MaskColumns | undefined;
    }
  | Blocked;

/** A text that is too large to be screened in one turn of the event loop. */
export interface LargeOutput {
  /** The text to screen, in pieces. */
  texts(): Iterable<string>;
  /** The content to record when no rule screens the text. A piece may reuse the previous piece's memory. */
  contents(): Iterable<Buffer>;
}

const NO_MASKS: readonly Mask[] = [];

/**
 * One stream of output of a session, such as a result or the error output of a script. Pushed output is
 * screened by the rules of the last command and recorded. `push` returns output that must not be delivered
 * before its recording is durable. `deliver` waits for this. A pipelining protocol does not wait, but writes
 * the output through the session's `DurableWriter`, which waits.
 */
export class GatedStream {
  readonly #guarded: GuardedTrail;
  readonly #events: PendingEvents;
  readonly #screen: OutputScreen | undefined;
  readonly #over: (stream: GatedStream) => void;
  #isOver = false;
  /** The refusal after which nothing more may be delivered; undefined: no refusal. */
  #blocked: Blocked | undefined;

  /**
   * @param over called when the stream has ended, so that it holds nothing back any more.
   * @param isNoted whether the caller records what it delivers (`Session.note`), because it delivers more
   * than the screened text: other bytes, or the codes of a terminal
   * @param before what `giveUp` of a former stream has returned, which this stream continues
   */
  constructor(
    guarded: GuardedTrail,
    events: PendingEvents,
    private readonly type: 'o' | 'e',
    over: (stream: GatedStream) => void,
    private readonly isNoted = false,
    before = '',
  ) {
    this.#guarded = guarded;
    this.#events = events;
    this.#screen = guarded.screensOutput ? guarded.openScreen(before) : undefined;
    this.#over = over;
  }

  /** Whether an output rule applies to the stream. */
  get isScreened(): boolean {
    return this.#screen !== undefined;
  }

  /** Whether everything pushed has been released or refused. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Screens and records a text. Resolves when the deliverable part is durable; never rejects. */
  async deliver(text: string): Promise<Delivery> {
    return this.durably(() => this.push(text));
  }

  /** Ends the stream. Resolves with the rest that was held back, once this rest is durable; never rejects. */
  async deliverRest(): Promise<Delivery> {
    return this.durably(() => this.finish());
  }

  /** @throws (or rejects) when the text could not be judged: nothing more of the stream may be delivered. */
  push(text: string): MaybePromise<Delivery> {
    if (this.#blocked !== undefined) return this.#blocked;
    if (this.#screen === undefined) return this.#pass(text);
    return thenMaybe(this.#screen.push(text), (screened) => this.#release(screened));
  }

  /**
   * Like `push`, for bytes, which must be UTF-8 if the stream `isScreened`. The caller must not change them
   * until the result is available.
   * @param areLines whether the bytes are whole lines and begin at the start of a line; see
   * `OutputScreen.pushLines`.
   */
  pushBytes(bytes: Buffer, areLines: boolean): MaybePromise<Delivery<Buffer | string>> {
    if (this.#blocked !== undefined) return this.#blocked;
    const screen = this.#screen;
    if (screen === undefined) return this.#pass(bytes);
    const screened: MaybePromise<Screened<Buffer | string>> = areLines
      ? screen.pushLines(bytes)
      : screen.push(textOf(bytes));
    return screened instanceof Promise
      ? screened.then((late) => this.#release(late))
      : this.#release(screened);
  }

  /** Like `push`, for a large text, in time slices. A blocked text is neither recorded nor delivered. */
  async pushLarge(output: LargeOutput): Promise<LargeDelivery> {
    if (this.#blocked !== undefined) return this.#blocked;
    if (this.#screen === undefined) {
      await inSlices(this.recording(output.contents()));
      return { kind: 'deliver', units: 0, upTo: Number.POSITIVE_INFINITY, masks: undefined };
    }
    const screened = await screenPieces(this.#screen, output.texts());
    if (screened.kind === 'block') return this.#block(screened);
    await inSlices(this.releasing(screened));
    return { kind: 'deliver', units: screened.units, upTo: screened.upTo, masks: screened.masks };
  }

  /**
   * Returns what was held back, although the stream continues: see `OutputScreen.flush`. @throws as `push`
   */
  flush(): MaybePromise<Delivery> {
    if (this.#blocked !== undefined) return this.#blocked;
    if (this.#isOver || this.#screen === undefined) return this.#pass('');
    return thenMaybe(this.#screen.flush(), (screened) => this.#release(screened));
  }

  /** Ends the stream and returns the rest that was held back. @throws as `push` does. */
  finish(): MaybePromise<Delivery> {
    if (this.#isOver || this.#screen === undefined) {
      this.close();
      return this.#blocked ?? { kind: 'deliver', text: '', upTo: Number.POSITIVE_INFINITY, masks: NO_MASKS };
    }
    const screened = this.#screen.finish();
    return screened instanceof Promise
      ? screened.then((late) => this.#finished(late))
      : this.#finished(screened);
  }

  #finished(screened: Screened): Delivery {
    this.close();
    return this.#release(screened);
  }

  /**
   * Ends the stream without the rest that it holds back, because the rules have changed. The caller must push
   * the text of this rest to a new stream, before any later text.
   * @returns the text before this rest, for the new stream
   */
  giveUp(): string {
    this.close();
    return this.#screen?.before ?? '';
  }

  /** Refuses the rest of the stream because of an error in the protocol, and records `message`. */
  refuse(message: string): void {
    this.close();
    this.#blocked = { kind: 'blocked', message };
    this.#events.append('e', `${message}\n`);
  }

  private close(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#over(this);
  }

  private async durably(delivery: () => MaybePromise<Delivery>): Promise<Delivery> {
    try {
      const delivered = await delivery();
      await this.#events.durable();
      return delivered;
    } catch (error) {
      return { kind: 'blocked', message: this.#guarded.fault(error).message };
    }
  }

  #pass<T extends string | Buffer>(text: T): Delivery<T> {
    if (text.length > 0 && !this.isNoted) this.#events.append(this.type, text);
    return { kind: 'deliver', text, upTo: Number.POSITIVE_INFINITY, masks: NO_MASKS };
  }

  #release<T extends string | Buffer>(screened: Screened<T>): Delivery<T> {
    if (screened.kind === 'block') return this.#block(screened);
    const { text, upTo, masks } = screened;
    this.#guarded.trail.masked(masks);
    if (text.length > 0 && !this.isNoted) this.#events.append(this.type, text);
    return { kind: 'deliver', text, upTo, masks };
  }

  #block({ hit }: Screened & { readonly kind: 'block' }): Blocked {
    this.close();
    this.#blocked = this.#guarded.block(hit, this.#events);
    return this.#blocked;
  }

  private *recording(contents: Iterable<Buffer>): Generator<undefined, void> {
    for (const content of contents) {
      this.#events.append(this.type, content);
      yield;
    }
  }

  private *releasing(screened: ScreenedPieces): Generator<undefined, void> {
    for (const piece of screened.pieces()) {
      this.#release(piece);
      yield;
    }
  }
}
