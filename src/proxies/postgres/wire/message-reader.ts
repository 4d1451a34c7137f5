import { HEAD_BYTES } from './message';

const NOTHING: Buffer = Buffer.alloc(0);

/** The other side does not speak the protocol; nothing after this can be understood. */
export class ProtocolFault extends Error {}

/** What the reader has to know about types of messages. */
export interface MessageKinds {
  /** Types of which only the head is looked at: their bodies go by piece by piece, however long. */
  passes(type: number): boolean;
  /** Largest body that is gathered, in bytes. */
  readonly maxGathered: number;
  /** Memory for a large message that is gathered; ordinary memory unless told. */
  readonly room?: (bytes: number) => Buffer;
}

/** A larger message is put together as it comes, once so much of it has come: all at once, others would have to wait. */
const LARGE_BYTES = 1024 * 1024;

/**
 * Cuts a stream of bytes into messages, copying only those that came in parts: `next` moves on to the next one, which lies in `bytes` from
 * `start` to `end`. A message that has not come whole is gathered; one that passes by comes in pieces, of which the
 * first `begins` it.
 * @throws ProtocolFault from `next` when a length cannot be, or is beyond what is gathered.
 */
export class MessageReader {
  type = 0;
  bytes: Buffer = NOTHING;
  start = 0;
  end = 0;
  begins = true;

  /** Where the next message begins in `bytes`. */
  private at = 0;
  /** Bytes of a message that passes by which are yet to come. */
  private passing = 0;
  /** Chunks behind `bytes`, and how many bytes they and the rest of `bytes` must be for another look. */
  private readonly behind: Buffer[] = [];
  private waiting = 0;
  private needed = 0;
  /** A large message of which so many bytes have come; `bytes` is empty meanwhile. */
  private large: Buffer | undefined;
  private filled = 0;

  constructor(private readonly kinds: MessageKinds) {}

  /** The message that is being dealt with stays where it is until `next`. */
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

  /** Bytes that were pushed and not read yet. */
  get unread(): number {
    return this.bytes.length - this.at + this.filled + this.waiting;
  }

  /** Moves on to the next message, or to the next piece of one that passes by; false when more has to come first. */
  next(): boolean {
    if (this.bytes.length - this.at < Math.max(this.needed, HEAD_BYTES) && !this.gather()) return false;
    if (this.passing > 0) return this.passOn();
    const length = this.bytes.readUInt32BE(this.at + 1);
    const size = length + 1;
    this.type = this.bytes[this.at] as number;
    if (this.kinds.passes(this.type)) {
      // It may have been gathered before it was to pass.
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

  /** Takes what came meanwhile, once that makes a difference. */
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

  /** Only what lies across chunks is copied. */
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
