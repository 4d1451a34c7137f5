/** Size of the buffer that all sockets read into. */
const SLAB_BYTES = 64 * 1024;
/** Smaller reads are copied into memory of their own: they are most of all reads, and little of all bytes. */
const FROM_BYTES = 16 * 1024;
/** Slabs that are kept for the next large reads of any session: 4 MiB. */
const KEPT = 64;

const spare: Buffer[] = [];

interface Lent {
  readonly slab: Buffer;
  /** Its end in the stream of bytes that were read. */
  readonly end: number;
  /**
   * Bytes that the receiver has to get until nobody needs the slab; undefined
   * while its bytes are being handled.
   */
  until: number | undefined;
}

/** Progress of the bytes of one direction of a session, counted since its beginning. */
export interface SlabProgress {
  /** Bytes that were read, but not handled yet. */
  readonly unread: number;
  /** Bytes for the receiver so far. */
  readonly accepted: number;
}

/**
 * Memory for the large reads of one direction of a session, which is used again once its bytes have left: the
 * receiver's socket has written everything that was made of them. A long result is read into a few slabs
 * instead of new memory for each read. That memory would stay until the garbage collector ran, and its size
 * alone makes the collector walk the whole heap for each few megabytes.
 */
export class ReadSlabs {
  private lent: Lent[] = [];
  private read = 0;

  /**
   * @param written the bytes that the receiver's socket has written of those
   * that it accepted; they are not needed any more.
   */
  constructor(private readonly written: () => number) {}

  /** A copy of a read. The caller may use the bytes until `handled` releases them. */
  readonly copyOf = (bytes: Buffer): Buffer => {
    this.read += bytes.length;
    if (bytes.length < FROM_BYTES || bytes.length > SLAB_BYTES) return Buffer.from(bytes);
    this.reclaim();
    const slab = spare.pop() ?? Buffer.allocUnsafeSlow(SLAB_BYTES);
    bytes.copy(slab);
    this.lent.push({ slab, end: this.read, until: undefined });
    return slab.subarray(0, bytes.length);
  };

  /**
   * Nobody holds any part of what was read, except what is still unread, and what the receiver has accepted.
   */
  handled({ unread, accepted }: SlabProgress): void {
    for (const lent of this.lent)
      if (lent.until === undefined && lent.end <= this.read - unread) lent.until = accepted;
  }

  /** Leaves the lent slabs to the garbage collector. */
  forget(): void {
    this.lent = [];
  }

  private reclaim(): void {
    if (this.lent.length === 0) return;
    const written = this.written();
    for (
      let first = this.lent[0];
      first?.until !== undefined && first.until <= written;
      first = this.lent[0]
    ) {
      this.lent.shift();
      if (spare.length >= KEPT) continue;
      // A fault that kept a part of it must not show what another session reads.
      first.slab.fill(0);
      spare.push(first.slab);
    }
  }
}
