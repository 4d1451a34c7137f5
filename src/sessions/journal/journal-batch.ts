import { type NewRecord, RECORD_BYTES, writeRecord } from './journal-records';

/** Initial size of a batch's buffer. */
const BEGIN_BYTES = 64 * 1024;
/** Maximum size of a buffer that is reused for another batch. */
const KEPT_BYTES = 1024 * 1024;

/** A session's place in a journal: which batches contain the session's records. */
export class JournalPlace {
  /** Number of the batch with the oldest record that must be kept; Infinity when no record must be kept. */
  oldest = Infinity;
  /** Number of the batch with the newest record. */
  newest = 0;

  /**
   * @param sessionId the session's id as 16 bytes.
   * @param isSync whether records must be on the disk before they count as written.
   * @param failed called when records could not be written, before the promises of `append` reject.
   */
  constructor(
    readonly sessionId: Uint8Array,
    readonly isSync: boolean,
    readonly failed: () => void,
  ) {}
}

/** Records that are written together in order of arrival. */
export class JournalBatch {
  /** Resolves when the records are written. Rejects when the write failed; the records are then lost. */
  readonly written: Promise<void>;
  private resolve!: () => void;
  private reject!: (error: unknown) => void;
  private readonly places: JournalPlace[] = [];
  private used = 0;
  isSync = false;

  constructor(
    /** Number of the batch in its journal, from 1. */
    readonly number: number,
    private buffer: Buffer = Buffer.allocUnsafeSlow(BEGIN_BYTES),
  ) {
    this.written = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
  }

  get size(): number {
    return this.used;
  }

  get bytes(): Buffer {
    return this.buffer.subarray(0, this.used);
  }

  /** Buffer that another batch can reuse after this one is written; undefined if it is too large. */
  get spare(): Buffer | undefined {
    return this.buffer.length <= KEPT_BYTES ? this.buffer : undefined;
  }

  add(place: JournalPlace, record: NewRecord): void {
    if (place.newest !== this.number) {
      place.newest = this.number;
      this.places.push(place);
      if (place.isSync) this.isSync = true;
    }
    const end = this.used + RECORD_BYTES + record.length;
    if (end > this.buffer.length) this.grow(end);
    writeRecord(this.buffer, this.used, place.sessionId, record);
    this.used = end;
  }

  done(): void {
    this.resolve();
  }

  fail(error: unknown): void {
    for (const place of this.places) place.failed();
    // Waiting callers get the error. Without a waiting caller, the rejection must not count as unhandled.
    this.written.catch(() => undefined);
    this.reject(error);
  }

  private grow(needed: number): void {
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, this.buffer.length * 2));
    this.buffer.copy(larger, 0, 0, this.used);
    this.buffer = larger;
  }
}
