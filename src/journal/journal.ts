import { setImmediate as turn } from 'node:timers/promises';
import { journalFault } from './journal-fault';
import { JournalBatch, JournalPlace } from './journal-batch';
import type { NewRecord } from './journal-records';
import type { JournalSegment } from './journal-segment';
import { JournalSegments } from './journal-segments';
import { Patience } from './patience';

/** What is written at once; more waits for the next write. */
const BATCH_BYTES = 8 * 1024 * 1024;
/** More than this is left to a thread: others have their turn meanwhile. */
const QUICK_BYTES = 256 * 1024;
const PROBE_BYTES = 64 * 1024;

/**
 * Keeps records in files until they are stored in the database. What has been written survives the death of the
 * process; where a place `isSync`, of the machine too. Records that come in one turn of the event loop, or while a
 * write is under way, are written together and share a promise.
 *
 * A write that fails rejects all that it held, and `fault` says why until `probe` finds that it can be done again;
 * each record is tried all the same.
 */
export class Journal {
  /** The last one takes what comes. */
  private readonly waiting: JournalBatch[] = [];
  /** Those that have something to be kept. */
  private readonly places = new Set<JournalPlace>();
  private readonly segments: JournalSegments;
  private batches = 0;
  private spare: Buffer | undefined;
  private isDue = false;
  private writing: Promise<void> | undefined;
  private readonly patience = new Patience();
  /** Something was released since it was last looked whether the file can be emptied. */
  private isFreed = false;
  /** Why nothing can be kept just now. */
  fault: string | undefined;

  constructor(
    readonly folder: string,
    gatewayId: string,
  ) {
    this.segments = new JournalSegments(folder, gatewayId);
  }

  /** Number of the batch that takes the next record. */
  get next(): number {
    return this.open()?.number ?? this.batches + 1;
  }

  /** Resolves when the record is written. @throws when it could not be: then it is kept nowhere. */
  append(place: JournalPlace, record: NewRecord): Promise<void> {
    const batch = this.open() ?? this.begin();
    batch.add(place, record);
    if (place.oldest === Infinity) {
      place.oldest = batch.number;
      this.places.add(place);
    }
    return batch.written;
  }

  /** Of that place nothing needs to be kept that is older than that batch; Infinity: nothing at all. */
  release(place: JournalPlace, oldest: number): void {
    if (oldest <= place.oldest) return;
    place.oldest = oldest;
    if (oldest === Infinity) this.places.delete(place);
    this.isFreed = true;
    this.segments.removeBefore(this.oldest());
  }

  /** Tries whether records can be kept again. A small one may find room where there is none for the next. */
  async probe(): Promise<void> {
    const batch = this.open() ?? this.begin();
    const content = Buffer.alloc(PROBE_BYTES);
    batch.add(NOBODY, { kind: 'nothing', number: 0, time: 0, letter: 0, content, length: PROBE_BYTES });
    this.fault = await batch.written.then(
      () => undefined,
      () => this.fault,
    );
  }

  /** Leaves nothing behind if everything is stored; otherwise the files stay, for the next start. */
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

  /** What comes in the same turn is written together. */
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
      !this.patience.isOver(performance.now())
    );
  }

  /** A trip to a thread and back costs more than such a write, and a turn of the event loop more than that. */
  private writeNow(batch: JournalBatch, segment: JournalSegment): void {
    const startedAt = performance.now();
    try {
      this.empty(segment, batch);
      segment.putNow(batch.bytes);
      this.written(batch, segment);
    } catch (error) {
      this.failed(batch, error);
    }
    this.patience.took(startedAt, performance.now());
  }

  private async writeByThread(first: JournalBatch): Promise<void> {
    for (let batch: JournalBatch | undefined = first; batch !== undefined; batch = this.waiting.shift()) {
      try {
        const segment = await this.segments.open();
        this.segments.removeBefore(this.oldest());
        this.empty(segment, batch);
        await segment.put(batch.bytes, batch.isSync);
        this.written(batch, segment);
      } catch (error) {
        this.failed(batch, error);
      }
      // Those who waited for this one have the turn to bring what goes with the next.
      await turn();
    }
    // In the same turn as the last look at `waiting`: a record that comes a moment later must start anew.
    this.writing = undefined;
  }

  private written(batch: JournalBatch, segment: JournalSegment): void {
    segment.last = batch.number;
    this.spare ??= batch.spare;
    batch.done();
  }

  private failed(batch: JournalBatch, error: unknown): void {
    this.fault = journalFault(error);
    batch.fail(new Error(this.fault, { cause: error }));
  }

  /** Starts the file anew where nothing in it has to be kept. */
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

/** Whose records need not be kept. */
const NOBODY = new JournalPlace(new Uint8Array(16), false, () => undefined);
