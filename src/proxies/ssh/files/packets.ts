/** Types of packets of SFTP, version 3: draft-ietf-secsh-filexfer-02, section 3. */
export const PACKET = {
  INIT: 1,
  VERSION: 2,
  OPEN: 3,
  CLOSE: 4,
  READ: 5,
  WRITE: 6,
  LSTAT: 7,
  FSTAT: 8,
  SETSTAT: 9,
  FSETSTAT: 10,
  OPENDIR: 11,
  READDIR: 12,
  REMOVE: 13,
  MKDIR: 14,
  RMDIR: 15,
  REALPATH: 16,
  STAT: 17,
  RENAME: 18,
  READLINK: 19,
  SYMLINK: 20,
  STATUS: 101,
  HANDLE: 102,
  DATA: 103,
  NAME: 104,
  EXTENDED: 200,
} as const;

/** Codes of a status: section 7. */
export const STATUS = {
  END_OF_FILE: 1,
  PERMISSION_DENIED: 3,
  FAILURE: 4,
  BAD_MESSAGE: 5,
  UNSUPPORTED: 8,
} as const;

/** The version that the gateway speaks. OpenSSH speaks no other. */
export const VERSION = 3;

/** Maximum length of a packet after its length field, as in OpenSSH (`SFTP_MAX_MSG_LENGTH`). */
const MAX_PACKET_BYTES = 256 * 1024;
const LENGTH_BYTES = 4;

/** Thrown for bytes that are no packets of SFTP. */
export class MalformedPacket extends Error {}

/** Cuts a stream of bytes into packets. A packet that is not complete costs its size, whatever its pieces. */
export class PacketCutter {
  /** Bytes that arrived, and were not looked at. */
  private readonly chunks: Buffer[] = [];
  /** The length field of the next packet; once it is known, the packet. */
  private packet = Buffer.alloc(LENGTH_BYTES);
  private filled = 0;

  push(chunk: Buffer): void {
    this.chunks.push(chunk);
  }

  /**
   * Returns the next packet with its length field; undefined if it is not complete. @throws MalformedPacket
   */
  next(): Buffer | undefined {
    if (!this.fill()) return undefined;
    if (this.packet.length === LENGTH_BYTES) {
      const length = this.packet.readUInt32BE(0);
      if (length === 0 || length > MAX_PACKET_BYTES)
        throw new MalformedPacket(`a packet of ${length} bytes is no packet of SFTP`);
      this.packet = Buffer.concat([this.packet], LENGTH_BYTES + length);
      if (!this.fill()) return undefined;
    }
    const { packet } = this;
    this.packet = Buffer.alloc(LENGTH_BYTES);
    this.filled = 0;
    return packet;
  }

  /** Fills the packet with what arrived. Returns whether it is complete. */
  private fill(): boolean {
    while (this.filled < this.packet.length) {
      const [first] = this.chunks;
      if (first === undefined) return false;
      const taken = first.copy(this.packet, this.filled);
      this.filled += taken;
      if (taken === first.length) this.chunks.shift();
      else this.chunks[0] = first.subarray(taken);
    }
    return true;
  }
}

/** Reads the fields of a packet. @throws MalformedPacket */
export class PacketFields {
  private at = LENGTH_BYTES;

  constructor(private readonly packet: Buffer) {}

  byte(): number {
    return this.take(1).readUInt8(0);
  }

  uint32(): number {
    return this.take(4).readUInt32BE(0);
  }

  /** A number of 64 bits. Offsets of files are exact up to 2^53. */
  uint64(): number {
    return Number(this.take(8).readBigUInt64BE(0));
  }

  bytes(): Buffer {
    return this.take(this.uint32());
  }

  get isOver(): boolean {
    return this.at === this.packet.length;
  }

  private take(count: number): Buffer {
    const end = this.at + count;
    if (end > this.packet.length) throw new MalformedPacket('a packet ends within a field');
    const taken = this.packet.subarray(this.at, end);
    this.at = end;
    return taken;
  }
}

/** Builds a packet of a type byte and fields. */
export function packetOf(type: number, ...fields: readonly Buffer[]): Buffer {
  const body = Buffer.concat([Buffer.from([type]), ...fields]);
  return Buffer.concat([uint32(body.length), body]);
}

export function uint32(value: number): Buffer {
  const field = Buffer.alloc(4);
  field.writeUInt32BE(value);
  return field;
}

export function textField(text: string | Buffer): Buffer {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text;
  return Buffer.concat([uint32(bytes.length), bytes]);
}

export function statusPacket(id: number, code: number, message: string): Buffer {
  return packetOf(PACKET.STATUS, uint32(id), uint32(code), textField(message), textField(''));
}
