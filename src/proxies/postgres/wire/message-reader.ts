import { HEAD_BYTES } from './message';

const NOTHING: Buffer = Buffer.alloc(0);

/** Thrown if the other side violates the protocol, so that its later bytes cannot be understood. */
export class ProtocolFault extends Error {}

/** Facts about message types that the reader uses. */
export interface MessageKinds {
  /** Whether messages of this type are returned in pieces at any length. Then only the header is read. */
  passes(type: number): boolean;
  /** Maximum size in bytes of a message body that is gathered. */
  readonly maxGathered: number;
  /** Allocates memory for a large message. By default, ordinary memory is used. */
  readonly room?: (bytes: number) => Buffer;
}

/**
 * Size above which a message is assembled while it arrives, so that joining its chunks does not block the
 * event loop.
 */
const LARGE_BYTES = 1024 * 1024;

/**
 * Splits a stream of bytes into messages, and copies only messages that arrive in parts. `next` moves to the
 * next message, which is between `start` and `end` in `bytes`. An incomplete message is gathered, unless its
 * type passes through. Then `next` returns its pieces, and `begins` is set for the first piece.
 * @throws ProtocolFault from `next` if a length is invalid or above the limit.
 */
export class MessageReader {
  type = 0;
  bytes: Buffer = NOTHING;
  start = 0;
  end = 0;
  begins = true;

  /** Offset of the next message in `bytes`. */
  private at = 0;
  /** Number of missing bytes of the message that passes through in pieces. */
  private passing = 0;
  /** Chunks after `bytes`, their total size, and the size that is needed to read the next message. */
  private readonly behind: Buffer[] = [];
  private waiting = 0;
  private needed = 0;
  /** A large message that is being assembled, and its size so far. Meanwhile `bytes` is empty. */
  private large: Buffer | undefined;
  private filled = 0;

  constructor(private readonly kinds: MessageKinds) {}

  /** Adds bytes. The current message stays valid until `next` is called. */
  push(chunk: Buffer): void {
    if (this.large !== undefined) {
      const taken = chunk.copy(this.large, this.filled);
      this.filled += taken;
      if (taken === chunk.length) return;
      this.behind.push(chunk.subarray(taken));
      this.waiting += chunk.length - taken;
      return;
    }
    this.behind.push(chunk);
    this.waiting += chunk.length;
  }

  /** Number of bytes that were pushed but not read yet. */
  get unread(): number {
    return this.bytes.length - this.at + this.filled + this.waiting;
  }

  /**
   * Moves to the next message, or to the next piece of a message that passes through. Returns false if more
   * bytes are needed.
   */
  next(): boolean {
    if (this.bytes.length - this.at < Math.max(this.needed, HEAD_BYTES) && !this.gather()) return false;
    if (this.passing > 0) return this.passOn();
    const length = this.bytes.readUInt32BE(this.at + 1);
    const size = length + 1;
    this.type = this.bytes[this.at] as number;
    if (this.kinds.passes(this.type)) {
      // This message passes through in pieces, but the reader may have begun to gather it before that was
      // known.
      this.needed = 0;
      if (length < 4) throw new ProtocolFault('invalid message length');
      this.passing = size;
      this.passOn();
      this.begins = true;
      return true;
    }
    if (length < 4) throw new ProtocolFault('invalid message length');
    if (length - 4 > this.kinds.maxGathered)
      throw new ProtocolFault(`a message is larger than ${this.kinds.maxGathered} bytes`);
    if (this.bytes.length - this.at < size) {
      this.needed = size;
      return this.gather() && this.next();
    }
    this.needed = 0;
    this.begins = true;
    this.start = this.at;
    this.end = this.at + size;
    this.at = this.end;
    return true;
  }

  private passOn(): boolean {
    this.begins = false;
    this.start = this.at;
    this.end = Math.min(this.at + this.passing, this.bytes.length);
    this.passing -= this.end - this.start;
    this.at = this.end;
    return true;
  }

  /** Joins the waiting chunks. Returns false if there are too few bytes to continue. */
  private gather(): boolean {
    if (this.large !== undefined) return this.takeLarge(this.large);
    const rest = this.bytes.length - this.at;
    const wanted = this.passing > 0 ? 1 : Math.max(this.needed, HEAD_BYTES);
    if (rest >= wanted) return true;
    if (rest + this.waiting < wanted) {
      if (wanted > LARGE_BYTES && rest + this.waiting >= LARGE_BYTES) this.beginLarge(wanted);
      return false;
    }
    this.bytes =
      rest === 0 && (this.behind[0] as Buffer).length >= wanted ? this.chunk() : this.joined(rest, wanted);
    this.at = 0;
    return true;
  }

  private beginLarge(size: number): void {
    const begun = [this.bytes.subarray(this.at), ...this.behind.splice(0)];
    this.bytes = NOTHING;
    this.at = 0;
    this.waiting = 0;
    this.large = this.roomOf(size);
    for (const chunk of begun) this.filled += chunk.copy(this.large, this.filled);
  }

  private takeLarge(large: Buffer): boolean {
    if (this.filled < large.length) return false;
    this.bytes = large;
    this.at = 0;
    this.large = undefined;
    this.filled = 0;
    return true;
  }

  private roomOf(size: number): Buffer {
    const { room } = this.kinds;
    return room === undefined || size <= LARGE_BYTES ? Buffer.allocUnsafe(size) : room(size);
  }

  private chunk(): Buffer {
    const chunk = this.behind.shift() as Buffer;
    this.waiting -= chunk.length;
    return chunk;
  }

  /** Copies the parts of a message that is spread over several chunks. */
  private joined(rest: number, size: number): Buffer {
    const joined = this.roomOf(size);
    this.bytes.copy(joined, 0, this.at);
    for (let to = rest; to < size;) {
      const chunk = this.chunk();
      const taken = chunk.copy(joined, to);
      to += taken;
      if (taken < chunk.length) this.putBack(chunk.subarray(taken));
    }
    return joined;
  }

  private putBack(chunk: Buffer): void {
    this.behind.unshift(chunk);
    this.waiting += chunk.length;
  }
}
