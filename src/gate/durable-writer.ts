import { bytesOf, firstBytes } from '../kernel/text/buffers';
import type { PendingEvents } from './pending-events';
import { type MessageTracker, WholeMessages } from './whole-messages';

/** The receiver of a durable writer: the socket of a client or of a target. */
export interface Sink {
  /** Whether the receiver should get no more data for now. */
  readonly isFull: boolean;
  /** Bytes that were written to the receiver but have not left the process. */
  readonly waitingBytes: number;
  write(pieces: readonly Buffer[]): void;
  /** Writes a last message and ends the connection. Idempotent. */
  end(lastWord: Buffer): void;
}

/** Bytes that wait until earlier events of the recording are durable. */
interface Batch {
  pieces: Buffer[];
  bytes: number;
  /** Total size of the events that must be durable before these bytes are written. */
  readonly recorded: number;
  isWaiting: boolean;
  /** Bytes that the last message of this batch still lacks; 0 if the message is complete. */
  missing: number;
}

const NONE: readonly Buffer[] = [];
const NOTHING: Buffer = Buffer.alloc(0);

/** Bytes that may wait to be recorded before the source is paused. */
const HIGH_WATER_BYTES = 1024 * 1024;

/**
 * Writes one direction of a session, and is the only way to its receiver. It writes in order, and only after
 * everything that the session recorded earlier in this direction is durable. It pauses its source while the
 * receiver or the recording is slow.
 *
 * With a tracker, the receiver gets only whole messages and then the last message, however the session ends.
 * A message that the receiver has in part is completed if its rest is available. Otherwise the connection
 * ends without a last message, because the receiver would read it as the rest of the incomplete message.
 */
export class DurableWriter {
  readonly #events: PendingEvents;
  private readonly batches: Batch[] = [];
  private waitingBytes = 0;
  /**
   * Size of the events that are not durable yet. Counted in addition to `waitingBytes`, because events may be
   * larger than the bytes that wait for them: a refused input is recorded whole, but only a short message is
   * forwarded.
   */
  private waitingEvents = 0;
  /** Total bytes passed to `write` so far. */
  accepted = 0;
  /** Splits the data into messages; undefined if data are forwarded without regard to message borders. */
  private readonly messages: WholeMessages | undefined;
  /** Bytes that the receiver still needs to complete a message of which it has a part; otherwise 0. */
  private missingAtSink = 0;
  private isClosed = false;
  /** Whether `cut` was called, after which nothing more is accepted. */
  private isCut = false;
  private lastWord: Buffer | undefined;
  private hasClosed!: () => void;
  private readonly closed = new Promise<void>((resolve) => {
    this.hasClosed = resolve;
  });

  /** @param events the recorded events of this direction. */
  constructor(
    events: PendingEvents,
    private readonly sink: Sink,
    private readonly on: {
      /** Called when the source may continue. */
      readonly room: () => void;
      /** Called when an event could not be recorded. The writer then writes nothing more. */
      readonly failed: (error: unknown) => void;
    },
    /** Finds where the messages to the receiver end. */
    tracker?: MessageTracker,
  ) {
    this.#events = events;
    if (tracker !== undefined) this.messages = new WholeMessages(tracker);
  }

  /** Whether the source should pause until `room` is called. */
  get isFull(): boolean {
    return Math.max(this.waitingBytes, this.waitingEvents) > HIGH_WATER_BYTES || this.sink.isFull;
  }

  /** Bytes passed to `write` that have left the process, so that their memory is free again. */
  get written(): number {
    return this.accepted - (this.messages?.heldBytes ?? 0) - this.waitingBytes - this.sink.waitingBytes;
  }

  /** Writes the data as soon as all events recorded so far are durable. */
  write(accepted: readonly Buffer[]): void {
    this.accepted += bytesOf(accepted);
    const durable = this.#events.takePendingPromise();
    const recorded = this.#events.takeSize();
    if (this.isClosed || this.isCut) {
      durable?.catch(() => undefined);
      return;
    }
    const pieces = this.messages === undefined ? accepted : this.messages.take(accepted);
    const bytes = bytesOf(pieces);
    const missing = this.messages?.missing ?? 0;
    if (durable === undefined) {
      if (pieces.length === 0) return;
      const last = this.batches.at(-1);
      if (last === undefined) return this.give(pieces, missing);
      for (const piece of pieces) last.pieces.push(piece);
      last.bytes += bytes;
      last.missing = missing;
      this.waitingBytes += bytes;
      return;
    }
    const batch = { pieces: [...pieces], bytes, recorded, isWaiting: true, missing };
    this.batches.push(batch);
    this.waitingBytes += bytes;
    this.waitingEvents += recorded;
    durable.then(() => this.writeThrough(batch), this.recordingFailed);
  }

  /** Writes a last message after all waiting data and ends the connection. Resolves afterwards. */
  end(lastWord: Buffer = NOTHING): Promise<void> {
    this.lastWord ??= lastWord;
    if (this.batches.length === 0) this.close();
    return this.closed;
  }

  /**
   * Ends the connection at once. Drops waiting data, except the rest of a message of which the receiver
   * already has a part.
   * @param unsent data that the source has not passed to `write`, in which the rest of this message may be.
   */
  cut(lastWord: Buffer = NOTHING, unsent: readonly Buffer[] = NONE): void {
    this.lastWord = lastWord;
    const missing = this.messages?.missing ?? 0;
    if (missing > 0) this.write(firstBytes(unsent, missing));
    this.isCut = true;
    this.keepWaiting(this.missingAtSink);
    if (this.batches.length === 0) this.close();
  }

  /** Writes nothing more and drops waiting data. The caller must end the connection. */
  drop(): void {
    this.isClosed = true;
    this.batches.length = 0;
    this.waitingBytes = 0;
    this.waitingEvents = 0;
    this.messages?.drop();
  }

  /** Stops waiting for pending events and ignores their errors. */
  abandon(): void {
    this.#events.abandon();
  }

  private close(): void {
    this.drop();
    if (this.lastWord !== undefined) this.sink.end(this.missingAtSink === 0 ? this.lastWord : NOTHING);
    this.hasClosed();
  }

  private give(pieces: readonly Buffer[], missing: number): void {
    this.missingAtSink = missing;
    this.sink.write(pieces);
  }

  /** Keeps the first `bytes` bytes of the waiting data and drops the rest. Drops all if fewer bytes wait. */
  private keepWaiting(bytes: number): void {
    let left = bytes;
    let kept = 0;
    for (; left > 0 && kept < this.batches.length; kept += 1) {
      const batch = this.batches[kept] as Batch;
      if (batch.bytes > left) {
        batch.pieces = firstBytes(batch.pieces, left);
        batch.bytes = left;
        batch.missing = 0;
      }
      left -= batch.bytes;
    }
    this.batches.length = left > 0 ? 0 : kept;
    this.waitingBytes = left > 0 ? 0 : bytes;
    this.waitingEvents = this.batches.reduce((sum, { recorded }) => sum + recorded, 0);
  }

  private readonly recordingFailed = (error: unknown): void => {
    this.drop();
    const isEnding = this.lastWord !== undefined;
    // Called first, so that the owner may still choose another last message.
    this.on.failed(error);
    // If the connection is already ending, still write the last message, because it contains nothing of the
    // events that were lost.
    if (isEnding) this.close();
  };

  /** Writes the batch and all earlier batches, which are durable too. */
  private writeThrough(batch: Batch): void {
    if (this.isClosed) return;
    const wasFull = this.isFull;
    // When two batches become durable with one write, the first callback writes both.
    while (batch.isWaiting) {
      const next = this.batches.shift();
      if (next === undefined) break;
      next.isWaiting = false;
      this.waitingBytes -= next.bytes;
      this.waitingEvents -= next.recorded;
      if (next.pieces.length > 0) this.give(next.pieces, next.missing);
    }
    if (this.lastWord !== undefined && this.batches.length === 0) this.close();
    if (wasFull && !this.isFull) this.on.room();
  }
}
