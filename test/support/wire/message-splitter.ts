import type { WireMessage } from './messages';

const HEAD = 5;

/** Splits a stream of bytes into messages. The body of a message is a view of the received bytes. */
export class MessageSplitter {
  private pieces: Buffer[] = [];
  private size = 0;

  /** Adds bytes. Returns the messages that are now complete. */
  push(bytes: Buffer): WireMessage[] {
    this.pieces.push(bytes);
    this.size += bytes.length;
    const messages: WireMessage[] = [];
    // Joins the pieces of a long message only once, when it is complete.
    while (this.size >= HEAD && this.size >= this.nextLength()) {
      const all = this.joined();
      const length = all.readUInt32BE(1) + 1;
      messages.push({ type: String.fromCharCode(all[0] ?? 0), body: all.subarray(HEAD, length) });
      this.pieces = [all.subarray(length)];
      this.size = all.length - length;
    }
    return messages;
  }

  /** Number of bytes of an incomplete message. */
  get rest(): number {
    return this.size;
  }

  private nextLength(): number {
    const [first] = this.pieces;
    const head = first !== undefined && first.length >= HEAD ? first : this.joined();
    return head.readUInt32BE(1) + 1;
  }

  private joined(): Buffer {
    if (this.pieces.length !== 1) this.pieces = [Buffer.concat(this.pieces)];
    return this.pieces[0] ?? Buffer.alloc(0);
  }
}
