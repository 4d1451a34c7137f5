/** Maximum length of the text of a value. */
export const MAX_CHARACTERS = 16 * 1024 * 1024;

/** Thrown if a value cannot be printed. The message completes the sentence "… because". */
export class Unprintable extends Error {}

/** Reads the fields of one binary value in order. @throws Unprintable if the value is too short. */
export class Cursor {
  private at = 0;

  constructor(private readonly bytes: Buffer) {}

  int8(): number {
    return this.bytes.readInt8(this.skip(1));
  }

  uint8(): number {
    return this.bytes.readUInt8(this.skip(1));
  }

  int16(): number {
    return this.bytes.readInt16BE(this.skip(2));
  }

  uint16(): number {
    return this.bytes.readUInt16BE(this.skip(2));
  }

  int32(): number {
    return this.bytes.readInt32BE(this.skip(4));
  }

  uint32(): number {
    return this.bytes.readUInt32BE(this.skip(4));
  }

  int64(): bigint {
    return this.bytes.readBigInt64BE(this.skip(8));
  }

  uint64(): bigint {
    return this.bytes.readBigUInt64BE(this.skip(8));
  }

  float4(): number {
    return this.bytes.readFloatBE(this.skip(4));
  }

  float8(): number {
    return this.bytes.readDoubleBE(this.skip(8));
  }

  takeBytes(length: number): Buffer {
    const start = this.skip(length);
    return this.bytes.subarray(start, start + length);
  }

  /** Reads a value with its length (int32) before it; null if the length is -1. */
  value(): Buffer | null {
    const length = this.int32();
    return length === -1 ? null : this.takeBytes(length);
  }

  /** Reads a text up to its final NUL. */
  text(): string {
    const nul = this.bytes.indexOf(0, this.at);
    if (nul === -1) throw malformedValue();
    const text = this.bytes.toString('utf8', this.at, nul);
    this.at = nul + 1;
    return text;
  }

  takeRest(): Buffer {
    return this.bytes.subarray(this.at);
  }

  get isAtEnd(): boolean {
    return this.at === this.bytes.length;
  }

  private skip(length: number): number {
    const start = this.at;
    if (length < 0 || start + length > this.bytes.length) throw malformedValue();
    this.at = start + length;
    return start;
  }
}

export function malformedValue(): Unprintable {
  return new Unprintable('its bytes are not a valid value of that type');
}
