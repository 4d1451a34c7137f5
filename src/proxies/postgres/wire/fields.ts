import { ProtocolFault } from './message-reader';

/** Reads the fields of one message in order. @throws ProtocolFault if the message is too short. */
export class FieldReader {
  constructor(
    readonly bytes: Buffer,
    private at: number,
    private readonly end: number,
  ) {}

  /** Reads a text up to its final NUL. Returns its bytes without the NUL. */
  text(): Buffer {
    const nul = this.bytes.indexOf(0, this.at);
    if (nul === -1 || nul >= this.end) throw new ProtocolFault('invalid string in message');
    const text = this.bytes.subarray(this.at, nul);
    this.at = nul + 1;
    return text;
  }

  int16(): number {
    return this.bytes.readUInt16BE(this.skip(2));
  }

  int32(): number {
    return this.bytes.readInt32BE(this.skip(4));
  }

  byte(): number {
    return this.bytes[this.skip(1)] as number;
  }

  /** Reads a list of int16 values, which begins with their number. */
  int16s(): number[] {
    const values: number[] = [];
    for (let count = this.int16(); count > 0; count -= 1) values.push(this.int16());
    return values;
  }

  /** Reads a list of object ids, which begins with their number; empty if the message has ended. */
  oids(): number[] {
    const values: number[] = [];
    for (let count = this.int16(); count > 0; count -= 1) values.push(this.int32() >>> 0);
    return values;
  }

  /** Reads a value with its length before it; null if the length is -1. */
  value(): Buffer | null {
    const length = this.int32();
    if (length === -1) return null;
    const start = this.skip(length);
    return this.bytes.subarray(start, start + length);
  }

  /** Skips a value with its length before it. @returns the offset of the length. */
  skipValue(): number {
    const place = this.at;
    const length = this.int32();
    if (length !== -1) this.skip(length);
    return place;
  }

  bytesOf(length: number): Buffer {
    const start = this.skip(length);
    return this.bytes.subarray(start, start + length);
  }

  get isAtEnd(): boolean {
    return this.at === this.end;
  }

  /** All remaining bytes. */
  rest(): Buffer {
    return this.bytes.subarray(this.at, this.end);
  }

  private skip(length: number): number {
    const start = this.at;
    if (length < 0 || start + length > this.end) throw new ProtocolFault('insufficient data left in message');
    this.at = start + length;
    return start;
  }
}
