/** Type (1) · length (uint32, big-endian, counts itself): PostgreSQL documentation, "Message Formats". */
const HEAD_BYTES = 5;

/**
 * Detects a message above the limit from its first five bytes. The driver would buffer the whole message, and
 * a row longer than the longest JavaScript string would end the process.
 */
export class MessageLimit {
  private head = Buffer.alloc(0);
  private rest = 0;

  constructor(
    private readonly maxBytes: number,
    private readonly exceeded: () => void,
  ) {}

  /** Must be given every byte, beginning at a message boundary. */
  watch(chunk: Buffer): void {
    let at = 0;
    while (at < chunk.length) {
      const skipped = Math.min(this.rest, chunk.length - at);
      this.rest -= skipped;
      at += skipped;
      if (this.rest > 0 || at === chunk.length) return;
      const taken = chunk.subarray(at, at + HEAD_BYTES - this.head.length);
      this.head = Buffer.concat([this.head, taken]);
      at += taken.length;
      if (this.head.length < HEAD_BYTES) return;
      const length = this.head.readUInt32BE(1);
      if (length > this.maxBytes) return this.exceeded();
      this.rest = Math.max(length - 4, 0);
      this.head = Buffer.alloc(0);
    }
  }
}
