import { setImmediate as othersTurn } from 'node:timers/promises';
import type { TrailEvent } from '../gate/ports/session-recorder';
import type { Allowance, Budget } from './budget';
import { LOWER_CASE, letterOf } from '../recording-format/event-codec';
import type { Journal } from '../journal/journal';
import type { JournalPlace } from '../journal/journal-batch';
import type { EventPart } from '../journal/journal-records';
import { piecesIn, roomFor } from '../recording-format/large-event';
import type { Outbox } from './outbox';
import type { RecordingStore } from './recording-store';
import type { Ending, Progress, StoredState } from './shipment';
import type { Shipper } from './shipper';
import { TrailProgress } from './trail-progress';

/** Where a trail takes up a recording. */
export interface Begun {
  /** As the row stands; nobody else writes to it meanwhile. */
  readonly state: StoredState;
  readonly progress: Progress;
  /** Time of its last event: the next ones come after it. Milliseconds since the start of the session. */
  readonly time: number;
}

/** What all trails of a gateway share. */
export interface Recording {
  readonly journal: Journal;
  readonly shipper: Shipper;
  readonly store: RecordingStore;
  readonly budget: Budget;
}

/** A session that has so much waiting waits for no company. */
const SHIP_FROM_BYTES = 256 * 1024;

/** Numbers the events of a session and puts them on all their ways: into its outbox, and into the journal. */
export class EventWays {
  readonly progress: TrailProgress;
  /** For what the session has waiting. */
  readonly room: Allowance;
  lastNumber: number;
  private readonly startedAt: number;
  /** Batch of the journal that has the end. */
  private endBatch = Infinity;

  constructor(
    private readonly recording: Recording,
    private readonly outbox: Outbox,
    /** In the journal; undefined where events are kept by the store alone. */
    private readonly place: JournalPlace | undefined,
    begun: Begun,
  ) {
    this.startedAt = performance.now() - begun.time;
    this.room = recording.budget.allowance();
    this.lastNumber = begun.state.journaled;
    this.progress = new TrailProgress(begun.progress);
  }

  /** Puts the event on all its ways; resolves when the journal has it, undefined where there is none. */
  put(given: TrailEvent, length: number): Promise<void> | undefined {
    const content = given.content as string | Buffer;
    const { time, ...said } = this.begin(given);
    const event = { kind: 'event', ...said, time, content, length } as const;
    const { shipper, journal } = this.recording;
    if (this.place === undefined) {
      this.outbox.add(event);
      shipper.shipNow(this.outbox);
      return undefined;
    }
    this.outbox.add(event, journal.next);
    if (this.progress.isNews(time)) void this.journalJson(this.place, 'progress', this.progress.told(time));
    const written = journal.append(this.place, event);
    if (this.outbox.bytes >= SHIP_FROM_BYTES) shipper.shipNow(this.outbox);
    else shipper.shipSoon(this.outbox);
    return written;
  }

  /** The beginning of an event on all its ways. */
  private begin({ type, what }: TrailEvent) {
    this.lastNumber += 1;
    this.progress.received();
    const letter = letterOf({ type, values: what === 'parameters' || undefined });
    return { number: this.lastNumber, time: this.elapsed(), letter };
  }

  /**
   * Puts a large event on all its ways, piece by piece: each in the journal before the next, so that no later one is there
   * without it. What the journal refuses is stored all the same, if the database can. Resolves when the journal has all of it.
   */
  async putLarge(event: TrailEvent): Promise<void> {
    const { journal, shipper } = this.recording;
    const said = this.begin(event);
    const mark = this.place === undefined ? undefined : journal.next;
    let before: EventPart | undefined;
    let refused: { readonly error: unknown } | undefined;
    let beyond = -roomFor(event.content);
    if (this.place !== undefined && this.progress.isNews(said.time))
      void this.journalJson(this.place, 'progress', this.progress.told(said.time));
    for (const { bytes: content, isLast } of piecesIn(event.content)) {
      const { length } = content;
      const letter = isLast ? said.letter : said.letter & ~LOWER_CASE;
      this.outbox.addPiece({ ...said, letter, content, length }, mark);
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
    // Of a text it was not known how many bytes it takes.
    this.room.grow(beyond);
    shipper.shipNow(this.outbox);
    if (refused !== undefined) throw refused.error;
  }

  /** Tells the journal of the end; undefined where there is none. */
  end(ending: Ending): Promise<void> | undefined {
    if (this.place === undefined) return undefined;
    this.endBatch = this.recording.journal.next;
    const time = this.elapsed();
    if (this.progress.isUntold) void this.journalJson(this.place, 'progress', this.progress.told(time));
    return this.journalJson(this.place, 'end', ending);
  }

  /** So much of what waits for the store is all that the journal has to keep. */
  release(oldest: number): void {
    if (this.place !== undefined) this.recording.journal.release(this.place, Math.min(oldest, this.endBatch));
  }

  /** The journal has to keep nothing any more. */
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

/** Of the last piece of a large event; it may be the only one. */
function lastKind(before: EventPart | undefined): EventPart | 'event' {
  return before === undefined ? 'event' : 'ends';
}
