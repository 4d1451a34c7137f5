/** Size of a slab (a reusable buffer). One read fits, because all sockets read into a buffer of this size. */
const SLAB_BYTES = 64 * 1024;
/** Minimum size of a read that gets a slab. Smaller reads are frequent, but carry few of all bytes. */
const FROM_BYTES = 16 * 1024;
/** Maximum number of unused slabs kept for later large reads of any session: 4 MiB. */
const KEPT = 64;
/** Maximum number of lent slabs of one direction. Otherwise data that wait long would keep all slabs lent. */
const LENT = 64;

const spare: Buffer[] = [];

interface Lent {
  readonly slab: Buffer;
  /** Number of bytes that this direction had read when the slab was filled. */
  readonly end: number;
  /**
   * The slab is free once the receiver's socket has written this number of bytes. Undefined while the bytes
   * of the slab are being handled.
   */
  until: number | undefined;
}

/** Progress of one direction of a session. */
export interface SlabProgress {
  /** Bytes that were read but are not handled yet. */
  readonly unread: number;
  /** Bytes accepted for the receiver since the session began. */
  readonly accepted: number;
}

/**
 * Reusable memory for the large reads of one direction of a session. A slab is used again once the receiver's
 * socket has written all output that came from its bytes. So a long result needs a few slabs instead of new
 * memory for each read. New memory would stay until the garbage collector runs, and every few megabytes of it
 * would make the collector walk the whole heap.
 */
export class ReadSlabs {
  private lent: Lent[] = [];
  private read = 0;

  /** @param written returns how many of the accepted bytes the receiver's socket has written */
  constructor(private readonly written: () => number) {}

  /** Copies a read. The caller may use the copy until `handled` releases it. */
  readonly copyOf = (bytes: Buffer): Buffer => {
    this.read += bytes.length;
    if (bytes.length < FROM_BYTES || bytes.length > SLAB_BYTES) return Buffer.from(bytes);
    this.reclaim();
    const slab = spare.pop() ?? Buffer.allocUnsafeSlow(SLAB_BYTES);
    bytes.copy(slab);
    // Forgets the oldest lent slab if there are too many. The garbage collector frees it when it is unused.
    if (this.lent.length >= LENT) this.lent.shift();
    this.lent.push({ slab, end: this.read, until: undefined });
    return slab.subarray(0, bytes.length);
  };

  /** Reports that only the unread bytes and the bytes accepted for the receiver are still in use. */
  handled({ unread, accepted }: SlabProgress): void {
    for (const lent of this.lent)
      if (lent.until === undefined && lent.end <= this.read - unread) lent.until = accepted;
  }

  /** Forgets the lent slabs, so that the garbage collector frees them when they are unused. */
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
      // Cleared, so that code that wrongly keeps a part of the slab cannot see data of another session.
      first.slab.fill(0);
      spare.push(first.slab);
    }
  }
}
