import type { WireMessage } from './messages';

const HEAD = 5;

/**
 * Cuts a stream of bytes into the messages that it holds. A message's body is a view of what was received.
 */
export class MessageSplitter {
  private pieces: Buffer[] = [];
  private size = 0;

  /** The messages that became whole with these bytes. */
  push(bytes: Buffer): WireMessage[] {
    this.pieces.push(bytes);
    this.size += bytes.length;
    const messages: WireMessage[] = [];
    // A long message comes in many pieces: they are joined when it is whole, not at each of them.
    while (this.size >= HEAD && this.size >= this.nextLength()) {
      const all = this.joined();
      const length = all.readUInt32BE(1) + 1;
      messages.push({ type: String.fromCharCode(all[0] ?? 0), body: all.subarray(HEAD, length) });
      this.pieces = [all.subarray(length)];
      this.size = all.length - length;
    }
    return messages;
  }

  /** Bytes of a message that is not whole yet. */
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
