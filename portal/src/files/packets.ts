/** Maximum length of a packet after its length field, as in OpenSSH (`SFTP_MAX_MSG_LENGTH`). */
const MAX_PACKET_BYTES = 256 * 1024;
const LENGTH_BYTES = 4;

export type Bytes = Uint8Array<ArrayBuffer>;

/** Cuts a stream of bytes into packets. */
export class PacketCutter {
  /** The length field of the next packet; once it is known, the packet without it. */
  private part: Bytes = new Uint8Array(LENGTH_BYTES);
  private filled = 0;
  private isLength = true;

  /** Returns the packets that the bytes complete. @throws for bytes that are no packets */
  push(bytes: Uint8Array): Bytes[] {
    const packets: Bytes[] = [];
    for (let at = 0; at < bytes.length;) {
      const taken = bytes.subarray(at, at + this.part.length - this.filled);
      this.part.set(taken, this.filled);
      this.filled += taken.length;
      at += taken.length;
      if (this.filled < this.part.length) break;
      if (!this.isLength) packets.push(this.part);
      this.begin();
    }
    return packets;
  }

  private begin(): void {
    const length = this.isLength ? viewOf(this.part).getUint32(0) : LENGTH_BYTES;
    if (length === 0 || length > MAX_PACKET_BYTES) throw new Error(`a packet of ${length} bytes`);
    this.isLength = !this.isLength;
    this.part = new Uint8Array(length);
    this.filled = 0;
  }
}

/** Reads the fields of a packet. @throws RangeError behind its end */
export class PacketReader {
  private readonly view: DataView;
  private at = 0;

  constructor(private readonly packet: Bytes) {
    this.view = viewOf(packet);
  }

  byte(): number {
    return this.view.getUint8(this.skip(1));
  }

  uint32(): number {
    return this.view.getUint32(this.skip(4));
  }

  /** A number of 64 bits, exact up to 2^53. */
  uint64(): number {
    return Number(this.view.getBigUint64(this.skip(8)));
  }

  bytes(): Bytes {
    const length = this.uint32();
    const start = this.skip(length);
    if (this.at > this.packet.length) throw new RangeError('a field is longer than its packet');
    return this.packet.slice(start, this.at);
  }

  /** Passes over bytes. Returns where they begin. */
  skip(bytes: number): number {
    const start = this.at;
    this.at += bytes;
    return start;
  }
}

/** Writes a packet, field by field. */
export class PacketWriter {
  private readonly parts: Bytes[] = [];

  /** @param id id of the request; undefined for the first packet, which has none */
  constructor(
    type: number,
    readonly id?: number,
  ) {
    this.parts.push(Uint8Array.of(type));
    if (id !== undefined) this.uint32(id);
  }

  uint32(value: number): this {
    const field = new Uint8Array(4);
    viewOf(field).setUint32(0, value);
    this.parts.push(field);
    return this;
  }

  uint64(value: number): this {
    const field = new Uint8Array(8);
    viewOf(field).setBigUint64(0, BigInt(value));
    this.parts.push(field);
    return this;
  }

  bytes(value: Bytes): this {
    this.uint32(value.length);
    this.parts.push(value);
    return this;
  }

  /** The packet with its length field. */
  whole(): Bytes {
    const length = this.parts.reduce((sum, part) => sum + part.length, 0);
    const packet = new Uint8Array(LENGTH_BYTES + length);
    viewOf(packet).setUint32(0, length);
    let at = LENGTH_BYTES;
    for (const part of this.parts) {
      packet.set(part, at);
      at += part.length;
    }
    return packet;
  }
}

function viewOf(bytes: Bytes): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
