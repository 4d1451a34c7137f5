import { setImmediate as turn } from 'node:timers/promises';
import { journalFault } from './journal-fault';
import { JournalBatch, JournalPlace } from './journal-batch';
import type { NewRecord } from './journal-records';
import type { JournalSegment } from './journal-segment';
import { JournalSegments } from './journal-segments';
import { InlineWriteBudget } from './inline-write-budget';

/** Size at which a batch accepts no more records. Later records wait for the next write. */
const BATCH_BYTES = 8 * 1024 * 1024;
/** Maximum size of a write on the event loop. A thread does larger writes. */
const QUICK_BYTES = 256 * 1024;
const PROBE_BYTES = 64 * 1024;

/**
 * Keeps records in files until they are stored in the database. A written record survives the death of the
 * process. If the `JournalPlace` of its session has `isSync`, it also survives a crash of the machine.
 * Records that arrive in one turn of the event loop, or during a write, are written together and share a
 * promise.
 *
 * A failed write rejects all its records. `fault` holds the reason until `probe` succeeds. Until then, the
 * journal still tries to write each record.
 */
export class Journal {
  /** Batches that wait for their write. New records are added to the last batch. */
  private readonly waiting: JournalBatch[] = [];
  /** States of the sessions whose records must be kept. */
  private readonly places = new Set<JournalPlace>();
  private readonly segments: JournalSegments;
  private batches = 0;
  private spare: Buffer | undefined;
  private isDue = false;
  private writing: Promise<void> | undefined;
  private readonly inlineWrites = new InlineWriteBudget();
  /** Whether records were released since `empty` last checked for records that must be kept. */
  private isFreed = false;
  /** Number of bytes written since the start. `faults` counts the failed writes. */
  writtenBytes = 0;
  faults = 0;
  /** Reason why nothing can be written; undefined when there is no fault. */
  fault: string | undefined;

  constructor(
    readonly folder: string,
    gatewayId: string,
  ) {
    this.segments = new JournalSegments(folder, gatewayId);
  }

  /** Current size of the journal's files in bytes. */
  get bytes(): number {
    return this.segments.bytes;
  }

  /** Number of the batch that will contain the next record. */
  get next(): number {
    return this.open()?.number ?? this.batches + 1;
  }

  /** Adds a record. Resolves when it is written. @throws when it could not be written. */
  append(place: JournalPlace, record: NewRecord): Promise<void> {
    const batch = this.open() ?? this.begin();
    batch.add(place, record);
    if (place.oldest === Infinity) {
      place.oldest = batch.number;
      this.places.add(place);
    }
    return batch.written;
  }

  /** Releases the session's records in batches before `oldest`; with Infinity, all records of the session. */
  release(place: JournalPlace, oldest: number): void {
    if (oldest <= place.oldest) return;
    place.oldest = oldest;
    if (oldest === Infinity) this.places.delete(place);
    this.isFreed = true;
    this.segments.removeBefore(this.oldest());
  }

  /**
   * Checks whether records can be written again. Writes 64 KiB, because on a full disk a small record may
   * still fit when the next one does not.
   */
  async probe(): Promise<void> {
    const batch = this.open() ?? this.begin();
    const content = Buffer.alloc(PROBE_BYTES);
    batch.add(NOBODY, { kind: 'nothing', number: 0, time: 0, letter: 0, content, length: PROBE_BYTES });
    this.fault = await batch.written.then(
      () => undefined,
      () => this.fault,
    );
  }

  /** Waits for all writes. Removes the files if everything is stored; otherwise the next start reads them. */
  async close(): Promise<void> {
    while (this.waiting.length > 0 || this.writing !== undefined) await (this.writing ?? turn());
    await this.segments.close(this.places.size === 0);
  }

  private open(): JournalBatch | undefined {
    const last = this.waiting.at(-1);
    return last !== undefined && last.size < BATCH_BYTES ? last : undefined;
  }

  private begin(): JournalBatch {
    this.batches += 1;
    const batch = new JournalBatch(this.batches, this.spare);
    this.spare = undefined;
    this.waiting.push(batch);
    this.start();
    return batch;
  }

  /** Schedules a write for the end of this turn of the event loop. */
  private start(): void {
    if (this.isDue || this.writing !== undefined) return;
    this.isDue = true;
    setImmediate(this.write);
  }

  private readonly write = (): void => {
    this.isDue = false;
    const batch = this.waiting.shift();
    if (batch === undefined) return;
    const { current } = this.segments;
    if (current === undefined || !this.isQuick(batch, current)) this.writing = this.writeByThread(batch);
    else this.writeNow(batch, current);
    if (this.waiting.length > 0) this.start();
  };

  private isQuick(batch: JournalBatch, segment: JournalSegment): boolean {
    return (
      !batch.isSync &&
      !segment.isFull &&
      batch.size <= QUICK_BYTES &&
      !this.inlineWrites.isExhausted(performance.now())
    );
  }

  /** Writes on the event loop, because a thread would take longer for a small write. */
  private writeNow(batch: JournalBatch, segment: JournalSegment): void {
    const startedAt = performance.now();
    try {
      this.empty(segment, batch);
      segment.putNow(batch.bytes);
      this.written(batch, segment);
    } catch (error) {
      this.failed(batch, error);
    }
    this.inlineWrites.recordWrite(startedAt, performance.now());
  }

  private async writeByThread(first: JournalBatch): Promise<void> {
    for (let batch: JournalBatch | undefined = first; batch !== undefined; batch = this.waiting.shift()) {
      try {
        const segment = await this.segments.open();
        this.segments.removeBefore(this.oldest());
        this.empty(segment, batch);
        await segment.writeBatch(batch.bytes, batch.isSync);
        this.written(batch, segment);
      } catch (error) {
        this.failed(batch, error);
      }
      // Lets callers that waited for this write add records to the next one.
      await turn();
    }
    // Reset in the same turn as the last check of `waiting`, so that a later record starts a new write.
    this.writing = undefined;
  }

  private written(batch: JournalBatch, segment: JournalSegment): void {
    segment.last = batch.number;
    this.writtenBytes += batch.size;
    this.spare ??= batch.spare;
    batch.done();
  }

  private failed(batch: JournalBatch, error: unknown): void {
    this.fault = journalFault(error);
    this.faults += 1;
    batch.fail(new Error(this.fault, { cause: error }));
  }

  /** Empties the file if nothing in it must be kept. */
  private empty(segment: JournalSegment, batch: JournalBatch): void {
    if (!this.isFreed || segment.isEmpty) return;
    this.isFreed = false;
    if (this.oldest() >= batch.number) segment.empty();
  }

  private oldest(): number {
    let oldest = Infinity;
    for (const place of this.places) oldest = Math.min(oldest, place.oldest);
    return oldest;
  }
}

/** Place of test records, which belong to no session and need not be kept. */
const NOBODY = new JournalPlace(new Uint8Array(16), false, () => undefined);
