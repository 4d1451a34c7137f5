import type { Writable } from 'node:stream';
import type { Sink } from '../../gate/durable-writer';

/** Writes to a socket, or a channel within one. Corks several pieces, so that they leave in few packets. */
export class SocketSink implements Sink {
  constructor(private readonly socket: Writable) {}

  get isFull(): boolean {
    return this.socket.writableNeedDrain;
  }

  /** Infinite once the socket is destroyed, because the system may still read the written buffers. */
  get waitingBytes(): number {
    return this.socket.destroyed ? Infinity : this.socket.writableLength;
  }

  write(pieces: readonly Buffer[]): void {
    const [first] = pieces;
    if (pieces.length === 1 && first !== undefined) {
      this.socket.write(first);
      return;
    }
    this.socket.cork();
    for (const piece of pieces) this.socket.write(piece);
    this.socket.uncork();
  }

  end(lastWord: Buffer): void {
    if (!this.socket.writableEnded) this.socket.end(lastWord);
  }
}
