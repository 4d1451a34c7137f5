import { createHash } from 'node:crypto';
import { type MaybePromise, thenMaybe } from '../../../kernel/async/maybe-promise';
import type { MessageHandler } from '../../kit/inbound';

/** Reads one direction of a forwarded stream: counts, hashes and, if it is kept, records the bytes. */
export class StreamReader implements MessageHandler {
  private readonly chunks: Buffer[] = [];
  private forwardable: Buffer[] = [];
  private readonly hash = createHash('sha256');
  private bytes = 0;

  /** @param record records a piece before it is forwarded; undefined where content is not recorded */
  constructor(private readonly record?: (chunk: Buffer) => MaybePromise<void>) {}

  push(chunk: Buffer): void {
    this.chunks.push(chunk);
  }

  /** @throws (or rejects with) an error of `record` */
  next(): MaybePromise<boolean> {
    const chunk = this.chunks.shift();
    if (chunk === undefined) return false;
    return thenMaybe(this.record?.(chunk), () => {
      this.hash.update(chunk);
      this.bytes += chunk.length;
      this.forwardable.push(chunk);
      return true;
    });
  }

  /** Takes what may be forwarded when its recording is durable. */
  takePieces(): Buffer[] {
    const pieces = this.forwardable;
    this.forwardable = [];
    return pieces;
  }

  /** Returns a line about all bytes that were read. To be called once, at the end. */
  summary(direction: string): string {
    return `${direction} ${this.bytes} bytes, SHA-256 ${this.hash.digest('hex')}\n`;
  }
}
