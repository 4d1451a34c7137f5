import type { Socket } from 'node:net';

/** What waits until it is durable what it says. */
interface Load {
  readonly pieces: Buffer[];
  bytes: number;
  isWaiting: boolean;
}

const NOTHING: Buffer = Buffer.alloc(0);

/** So much may wait for a slow receiver before nothing more is read for it. */
const HIGH_WATER_BYTES = 1024 * 1024;

/**
 * One direction of a relay: sends in order, each load once what it says is recorded. Tells its source when to rest:
 * while the receiver is slow, or recording takes its time.
 */
export class Lane {
  private readonly loads: Load[] = [];
  private waiting = 0;
  private isClosed = false;
  private lastWord: Buffer | undefined;
  private hasClosed!: () => void;
  private readonly closed = new Promise<void>((resolve) => {
    this.hasClosed = resolve;
  });

  constructor(
    private readonly socket: Socket,
    /** Called when there is room again. */
    private readonly hasRoom: () => void,
    /** Called when something could not be recorded: nothing more is sent. */
    private readonly failed: (error: unknown) => void,
  ) {
    socket.on('drain', () => this.hasRoom());
  }

  /** Whether the source should rest, until it is told that there is room. */
  get isFull(): boolean {
    return this.waiting > HIGH_WATER_BYTES || this.socket.writableNeedDrain;
  }

  /** @param after what has to be durable before; asked for in the order of coming. */
  send(pieces: Buffer[], after: Promise<void> | undefined): void {
    if (this.isClosed) {
      after?.catch(() => undefined);
      return;
    }
    if (after === undefined) {
      const last = this.loads.at(-1);
      if (last === undefined) this.write(pieces);
      else this.put(last, pieces);
      return;
    }
    const load = { pieces: [], bytes: 0, isWaiting: true };
    this.loads.push(load);
    this.put(load, pieces);
    after.then(
      () => this.sendThrough(load),
      (error: unknown) => {
        this.drop();
        // Whoever ended it meanwhile has a word that says nothing of what is lost.
        if (this.lastWord !== undefined) this.close();
        this.failed(error);
      },
    );
  }

  /** Ends the connection with a last word, once everything that waits to be recorded is sent; resolves then. */
  end(lastWord: Buffer = NOTHING): Promise<void> {
    this.lastWord ??= lastWord;
    if (this.loads.length === 0) this.close();
    return this.closed;
  }

  /** Ends it at once: what waits to be recorded is not sent. */
  cut(lastWord: Buffer = NOTHING): void {
    this.lastWord = lastWord;
    this.close();
  }

  /** Sends nothing more, not even what only waits to be recorded. The connection is somebody else's to end. */
  drop(): void {
    this.isClosed = true;
    this.loads.length = 0;
    this.waiting = 0;
  }

  private close(): void {
    this.drop();
    if (!this.socket.writableEnded && this.lastWord !== undefined) this.socket.end(this.lastWord);
    this.hasClosed();
  }

  private put(load: Load, pieces: readonly Buffer[]): void {
    for (const piece of pieces) {
      load.pieces.push(piece);
      load.bytes += piece.length;
      this.waiting += piece.length;
    }
  }

  /** What was asked for before is durable too. */
  private sendThrough(load: Load): void {
    if (this.isClosed) return;
    const wasFull = this.isFull;
    // Of two that became durable with one write, the later one was sent with the earlier.
    while (load.isWaiting) {
      const sent = this.loads.shift();
      if (sent === undefined) break;
      sent.isWaiting = false;
      this.waiting -= sent.bytes;
      this.write(sent.pieces);
    }
    if (this.lastWord !== undefined && this.loads.length === 0) this.close();
    if (wasFull && !this.isFull) this.hasRoom();
  }

  private write(pieces: readonly Buffer[]): void {
    const [first] = pieces;
    if (pieces.length === 1 && first !== undefined) {
      this.socket.write(first);
      return;
    }
    this.socket.cork();
    for (const piece of pieces) this.socket.write(piece);
    this.socket.uncork();
  }
}
