/** Reads the fields of a key in the wire format, one after another (RFC 4251, section 5). */
export class KeyFields {
  private at = 0;

  constructor(private readonly blob: Buffer) {}

  /** Whether all bytes have been read. */
  get isAtEnd(): boolean {
    return this.at === this.blob.length;
  }

  /** A `string`; undefined if the bytes end before. */
  bytes(): Buffer | undefined {
    const start = this.at + 4;
    if (start > this.blob.length) return undefined;
    const end = start + this.blob.readUInt32BE(this.at);
    if (end > this.blob.length) return undefined;
    this.at = end;
    return this.blob.subarray(start, end);
  }

  /** A `string` of ASCII characters. */
  text(): string | undefined {
    return this.bytes()?.toString('latin1');
  }

  /**
   * An `mpint` greater than zero, without its sign byte. Undefined for any other, and for one with more bytes
   * than needed, which RFC 4251 forbids.
   */
  positiveInteger(): Buffer | undefined {
    const bytes = this.bytes();
    const [first, second] = bytes ?? [];
    if (bytes === undefined || first === undefined || first >= 0x80) return undefined;
    if (first !== 0) return bytes;
    return second !== undefined && second >= 0x80 ? bytes.subarray(1) : undefined;
  }
}
