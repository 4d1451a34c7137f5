import { setImmediate as othersTurn } from 'node:timers/promises';
import type { TrailEvent } from '../../gate/ports/session-recorder';
import type { Allowance, ByteSemaphore } from '../../kernel/async/byte-semaphore';
import { LOWER_CASE, letterOf } from '../format/event-codec';
import type { Journal } from '../journal/journal';
import type { JournalPlace } from '../journal/journal-batch';
import type { EventPart } from '../journal/journal-records';
import { piecesIn, roomFor } from '../format/large-event';
import type { PendingChunks } from './pending-chunks';
import type { RecordingStore } from './recording-store';
import type { SessionEnd, SessionProgress, StoredState } from './shipment';
import type { Shipper } from './shipper';
import { TrailProgress } from './trail-progress';

/** Point at which a recording continues. */
export interface ResumeState {
  /** Stored state from the session's row. Nothing else writes to the row while this recording continues. */
  readonly state: StoredState;
  readonly progress: SessionProgress;
  /**
   * Time of the last event, in milliseconds since the start of the session. The next events come after it.
   */
  readonly time: number;
}

/** Components that all recordings of a gateway share. */
export interface RecordingPipeline {
  readonly journal: Journal;
  readonly shipper: Shipper;
  readonly store: RecordingStore;
  readonly memory: ByteSemaphore;
}

/** Pending bytes above which events are stored immediately, without waiting for events of other sessions. */
const SHIP_FROM_BYTES = 256 * 1024;

/** Numbers the events of a session, and writes each of them to the pending chunks and to the journal. */
export class EventWriter {
  readonly progress: TrailProgress;
  /** Memory for the session's pending events. */
  readonly memory: Allowance;
  lastNumber: number;
  private readonly startedAt: number;
  /** Number of the journal batch that contains the end of the session. */
  private endBatch = Infinity;

  constructor(
    private readonly recording: RecordingPipeline,
    private readonly pending: PendingChunks,
    /** State of the session in the journal; undefined in mode `store`, which uses no journal. */
    private readonly place: JournalPlace | undefined,
    resumed: ResumeState,
  ) {
    this.startedAt = performance.now() - resumed.time;
    this.memory = recording.memory.allowance();
    this.lastNumber = resumed.state.journaled;
    this.progress = new TrailProgress(resumed.progress);
  }

  /** Writes an event. Resolves when the event is in the journal. Returns undefined in mode `store`. */
  put(given: TrailEvent, length: number): Promise<void> | undefined {
    const content = given.content as string | Buffer;
    const { number, time, letter } = this.begin(given);
    const event = { kind: 'event', number, time, letter, content, length } as const;
    const { shipper, journal } = this.recording;
    if (this.place === undefined) {
      this.pending.add(event);
      shipper.shipNow(this.pending);
      return undefined;
    }
    this.pending.add(event, journal.next);
    if (this.progress.mustBeWritten(time))
      void this.journalJson(this.place, 'progress', this.progress.takeUnwritten(time));
    const written = journal.append(this.place, event);
    if (this.pending.bytes >= SHIP_FROM_BYTES) shipper.shipNow(this.pending);
    else shipper.shipSoon(this.pending);
    return written;
  }

  /** Counts the next event. Returns its number, its time and the letter of its type. */
  private begin({ type, what }: TrailEvent) {
    this.lastNumber += 1;
    this.progress.received();
    this.recording.shipper.received += 1;
    const letter = letterOf({ type, values: what === 'parameters' || undefined });
    return { number: this.lastNumber, time: this.elapsed(), letter };
  }

  /**
   * Writes a large event piece by piece. Each piece is in the journal before the next one, so the journal has
   * no gap. If the journal refuses the event, the database still stores it if possible. Resolves when the
   * whole event is in the journal.
   */
  async putLarge(event: TrailEvent): Promise<void> {
    const { journal, shipper } = this.recording;
    const said = this.begin(event);
    const mark = this.place === undefined ? undefined : journal.next;
    let before: EventPart | undefined;
    let refused: { readonly error: unknown } | undefined;
    let beyond = -roomFor(event.content);
    if (this.place !== undefined && this.progress.mustBeWritten(said.time))
      void this.journalJson(this.place, 'progress', this.progress.takeUnwritten(said.time));
    for (const { bytes: content, isLast } of piecesIn(event.content)) {
      const { length } = content;
      const letter = isLast ? said.letter : said.letter & ~LOWER_CASE;
      this.pending.addPiece({ ...said, letter, content, length }, mark);
      const part = before === undefined ? 'begins' : 'goes on';
      const kind = isLast ? lastKind(before) : part;
      before = part;
      if (this.place !== undefined && refused === undefined) {
        const record = { ...said, kind, content, length };
        await journal.append(this.place, record).catch((error: unknown) => (refused = { error }));
      }
      beyond += length;
      await othersTurn();
    }
    // Corrects the reserved memory: the size of a large text is an estimate until the text is encoded.
    this.memory.grow(beyond);
    shipper.shipNow(this.pending);
    if (refused !== undefined) throw refused.error;
  }

  /** Writes the end of the session to the journal. Returns undefined in mode `store`. */
  end(ending: SessionEnd): Promise<void> | undefined {
    if (this.place === undefined) return undefined;
    this.endBatch = this.recording.journal.next;
    const time = this.elapsed();
    if (this.progress.isUnwritten)
      void this.journalJson(this.place, 'progress', this.progress.takeUnwritten(time));
    return this.journalJson(this.place, 'end', ending);
  }

  /** Releases the session's journal batches before `oldest`. */
  release(oldest: number): void {
    if (this.place !== undefined) this.recording.journal.release(this.place, Math.min(oldest, this.endBatch));
  }

  /** Releases all journal batches of the session. */
  close(): void {
    this.endBatch = Infinity;
    this.release(Infinity);
  }

  private journalJson(place: JournalPlace, kind: 'progress' | 'end', what: object): Promise<void> {
    const content = Buffer.from(JSON.stringify(what));
    const record = { kind, number: this.lastNumber, time: 0, letter: 0, content, length: content.length };
    return this.recording.journal.append(place, record);
  }

  /** Milliseconds since the start of the session, to the microsecond. */
  elapsed(): number {
    return Math.round((performance.now() - this.startedAt) * 1000) / 1000;
  }
}

/** Returns the kind of the last piece of a large event: `event` if it is the only piece. */
function lastKind(before: EventPart | undefined): EventPart | 'event' {
  return before === undefined ? 'event' : 'ends';
}
