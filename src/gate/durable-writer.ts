import type { PendingEvents } from './pending-events';

/** The receiver of a durable writer: the socket of a client or of a target. */
export interface Sink {
  /** Whether the receiver should get no more data for now. */
  readonly isFull: boolean;
  /** Bytes that were written to it and have not left the process. */
  readonly waitingBytes: number;
  write(pieces: readonly Buffer[]): void;
  /** Writes a last message and ends the connection. Idempotent. */
  end(lastWord: Buffer): void;
}

/** Bytes that wait until the recording is durable. */
interface Batch {
  pieces: readonly Buffer[];
  bytes: number;
  isWaiting: boolean;
}

const NOTHING: Buffer = Buffer.alloc(0);

/** Bytes that may wait to be recorded before the source is paused. */
const HIGH_WATER_BYTES = 1024 * 1024;

/**
 * One direction of a session, and the only way to its receiver. It writes in order, and only after everything that the session recorded before in this
 * direction is durable. It tells its source when to pause: while the receiver or the recording is slow.
 */
export class DurableWriter {
  readonly #events: PendingEvents;
  private readonly batches: Batch[] = [];
  private waitingBytes = 0;
  /** Bytes of all pieces so far. */
  accepted = 0;
  private isClosed = false;
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
      /** The source may continue. */
      readonly room: () => void;
      /** An event could not be recorded: nothing more is written. */
      readonly failed: (error: unknown) => void;
    },
  ) {
    this.#events = events;
  }

  /** Whether the source should pause until `room` is called. */
  get isFull(): boolean {
    return this.waitingBytes > HIGH_WATER_BYTES || this.sink.isFull;
  }

  /** Bytes of pieces that have left the process: their memory is not needed any more. */
  get written(): number {
    return this.accepted - this.waitingBytes - this.sink.waitingBytes;
  }

  /** Writes the pieces once everything recorded so far is durable. */
  write(pieces: readonly Buffer[]): void {
    let bytes = 0;
    for (const { length } of pieces) bytes += length;
    this.accepted += bytes;
    const durable = this.#events.takePendingPromise();
    if (this.isClosed) {
      durable?.catch(() => undefined);
      return;
    }
    if (durable === undefined) {
      if (pieces.length === 0) return;
      const last = this.batches.at(-1);
      if (last === undefined) return this.sink.write(pieces);
      last.pieces = [...last.pieces, ...pieces];
      last.bytes += bytes;
      this.waitingBytes += bytes;
      return;
    }
    const batch = { pieces, bytes, isWaiting: true };
    this.batches.push(batch);
    this.waitingBytes += bytes;
    durable.then(() => this.writeThrough(batch), this.recordingFailed);
  }

  /** Writes a last message after everything that waits, and ends the connection; resolves then. */
  end(lastWord: Buffer = NOTHING): Promise<void> {
    this.lastWord ??= lastWord;
    if (this.batches.length === 0) this.close();
    return this.closed;
  }

  /** Ends the connection at once: waiting data are dropped. */
  cut(lastWord: Buffer = NOTHING): void {
    this.lastWord = lastWord;
    this.close();
  }

  /** Writes nothing more and drops waiting data. The caller must end the connection. */
  drop(): void {
    this.isClosed = true;
    this.batches.length = 0;
    this.waitingBytes = 0;
  }

  /** Ignores errors of events that were recorded but not written yet. */
  abandon(): void {
    this.#events.abandon();
  }

  private close(): void {
    this.drop();
    if (this.lastWord !== undefined) this.sink.end(this.lastWord);
    this.hasClosed();
  }

  private readonly recordingFailed = (error: unknown): void => {
    this.drop();
    // If the connection is being ended meanwhile, its last message is still sent: it contains nothing that was lost.
    if (this.lastWord !== undefined) this.close();
    this.on.failed(error);
  };

  /** Writes the batch and all earlier ones, which are durable too. */
  private writeThrough(batch: Batch): void {
    if (this.isClosed) return;
    const wasFull = this.isFull;
    // When two batches become durable with one write, the first callback writes both.
    while (batch.isWaiting) {
      const next = this.batches.shift();
      if (next === undefined) break;
      next.isWaiting = false;
      this.waitingBytes -= next.bytes;
      if (next.pieces.length > 0) this.sink.write(next.pieces);
    }
    if (this.lastWord !== undefined && this.batches.length === 0) this.close();
    if (wasFull && !this.isFull) this.on.room();
  }
}
