import type { MessageTracker } from '../../../gate/whole-messages';
import { HEAD_BYTES } from './message';

/** Size of the length field. The length in it includes this size. */
const LENGTH_BYTES = 4;

/** Follows messages of the protocol (type byte, length, body) by reading only their headers. */
export class WireMessageTracker implements MessageTracker {
  missing = 0;
  size = 0;
  /** Number of bytes of an incomplete header, and the length that they contain so far. */
  private headBytes = 0;
  private length = 0;

  follow(piece: Buffer): number {
    const end = piece.length;
    let at = 0;
    if (this.missing > 0) {
      at = this.headBytes > 0 ? this.continueHead(piece) : this.missing;
      if (at > end) {
        if (this.headBytes === 0) this.missing = at - end;
        return -1;
      }
    }
    for (;;) {
      if (end - at < HEAD_BYTES) break;
      const next = at + 1 + Math.max(lengthAt(piece, at), LENGTH_BYTES);
      if (next > end) {
        this.size = next - at;
        this.missing = next - end;
        return at;
      }
      at = next;
    }
    this.missing = 0;
    this.size = 0;
    if (at < end) this.beginHead(piece, at);
    return at;
  }

  private beginHead(piece: Buffer, from: number): void {
    this.length = 0;
    this.missing = Number.POSITIVE_INFINITY;
    for (let at = from; at < piece.length; at += 1) this.addToHead(piece[at] as number);
  }

  /**
   * @returns the offset in the piece at which the message ends. The offset is beyond the piece if the rest of
   * the message is missing.
   */
  private continueHead(piece: Buffer): number {
    let at = 0;
    for (; this.headBytes < HEAD_BYTES; at += 1) {
      if (at === piece.length) return Number.POSITIVE_INFINITY;
      this.addToHead(piece[at] as number);
    }
    this.headBytes = 0;
    const body = Math.max(this.length, LENGTH_BYTES) - LENGTH_BYTES;
    this.size = HEAD_BYTES + body;
    return at + body;
  }

  private addToHead(byte: number): void {
    // Skip the first byte, which is the type.
    if (this.headBytes > 0) this.length = this.length * 256 + byte;
    this.headBytes += 1;
  }
}

/** Reads the length after the type byte, without checks because a result may have millions of messages. */
function lengthAt(bytes: Buffer, at: number): number {
  const high = ((bytes[at + 1] as number) << 24) | ((bytes[at + 2] as number) << 16);
  return (high | ((bytes[at + 3] as number) << 8) | (bytes[at + 4] as number)) >>> 0;
}
