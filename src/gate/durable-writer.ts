import type { PendingEvents } from './pending-events';

/** Where a durable writer writes to: the socket of a client, or of a target. */
export interface Sink {
  /** Whether the receiver should be given nothing more for now. */
  readonly isFull: boolean;
  write(pieces: readonly Buffer[]): void;
  /** Ends the connection with a last word. Idempotent. */
  end(lastWord: Buffer): void;
}

/** Bytes that wait until what they tell is durable. */
interface Batch {
  readonly pieces: Buffer[];
  bytes: number;
  isWaiting: boolean;
}

const NOTHING: Buffer = Buffer.alloc(0);

/** So many bytes may wait to be recorded before the source has to rest. */
const HIGH_WATER_BYTES = 1024 * 1024;

/**
 * One direction of a session, and the only way on: it writes in order, and nothing before all that the session recorded for this
 * direction is durable. It tells its source when to rest: while the receiver is slow, or recording takes its time.
 */
export class DurableWriter {
  readonly #events: PendingEvents;
  private readonly batches: Batch[] = [];
  private waitingBytes = 0;
  private isClosed = false;
  private lastWord: Buffer | undefined;
  private hasClosed!: () => void;
  private readonly closed = new Promise<void>((resolve) => {
    this.hasClosed = resolve;
  });

  /** @param events what is recorded for this direction. */
  constructor(
    events: PendingEvents,
    private readonly sink: Sink,
    private readonly on: {
      /** There is room again. */
      readonly room: () => void;
      /** Something could not be recorded: nothing more is written. */
      readonly failed: (error: unknown) => void;
    },
  ) {
    this.#events = events;
  }

  /** Whether the source should rest, until `room` is called. */
  get isFull(): boolean {
    return this.waitingBytes > HIGH_WATER_BYTES || this.sink.isFull;
  }

  /** Writes the pieces once everything that was recorded until now is durable. */
  write(pieces: Buffer[]): void {
    const durable = this.#events.take();
    if (this.isClosed) {
      durable?.catch(() => undefined);
      return;
    }
    if (durable === undefined) {
      const last = this.batches.at(-1);
      if (last !== undefined) this.put(last, pieces);
      else if (pieces.length > 0) this.sink.write(pieces);
      return;
    }
    const batch = { pieces: [], bytes: 0, isWaiting: true };
    this.batches.push(batch);
    this.put(batch, pieces);
    durable.then(
      () => this.writeThrough(batch),
      (error: unknown) => {
        this.drop();
        // Whoever ended it meanwhile has a last word that tells nothing of what is lost.
        if (this.lastWord !== undefined) this.close();
        this.on.failed(error);
      },
    );
  }

  /** Ends the connection with a last word, once everything that waits is written; resolves then. */
  end(lastWord: Buffer = NOTHING): Promise<void> {
    this.lastWord ??= lastWord;
    if (this.batches.length === 0) this.close();
    return this.closed;
  }

  /** Ends the connection at once: what waits is not written. */
  cut(lastWord: Buffer = NOTHING): void {
    this.lastWord = lastWord;
    this.close();
  }

  /** Writes nothing more, not even what waits. The connection is somebody else's to end. */
  drop(): void {
    this.isClosed = true;
    this.batches.length = 0;
    this.waitingBytes = 0;
  }

  /** Nobody waits for what was recorded and not written yet. */
  abandon(): void {
    this.#events.abandon();
  }

  private close(): void {
    this.drop();
    if (this.lastWord !== undefined) this.sink.end(this.lastWord);
    this.hasClosed();
  }

  private put(batch: Batch, pieces: readonly Buffer[]): void {
    for (const piece of pieces) {
      batch.pieces.push(piece);
      batch.bytes += piece.length;
      this.waitingBytes += piece.length;
    }
  }

  /** What was recorded before is durable too. */
  private writeThrough(batch: Batch): void {
    if (this.isClosed) return;
    const wasFull = this.isFull;
    // Of two that became durable with one write, the later one was written with the earlier.
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
