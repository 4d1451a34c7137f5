/** Reads fields of RFC 4251, section 5. */
export class Fields {
  constructor(
    private readonly content: Buffer,
    private at = 0,
  ) {}

  /** @throws RangeError at the end */
  number(): number {
    const value = this.content.readUInt32BE(this.at);
    this.at += 4;
    return value;
  }

  /** @throws RangeError at the end */
  bytes(): Buffer {
    const length = this.number();
    if (this.at + length > this.content.length) throw new RangeError('a field is longer than its content');
    this.at += length;
    return this.content.subarray(this.at - length, this.at);
  }
}

/** Returns a `string` of RFC 4251, section 5: the length of the bytes, then the bytes. */
export function sshString(bytes: Buffer | string): Buffer {
  const content = Buffer.from(bytes);
  return Buffer.concat([sshUint32(content.length), content]);
}

export function sshUint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

export function sshUint64(value: bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(value);
  return bytes;
}
