import { setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { parse } from 'uuid';
import type { Hit, Mask } from '../../gate/ports/guardrails';
import {
  type EventType,
  type InputKind,
  RecordingFailed,
  type SessionTrail,
  type TrailEvent,
} from '../../gate/ports/session-recorder';
import type { RecordingMode, RecordingScope } from '../../gate/ports/target-directory';
import { piecesOf } from '../../kernel/pieces';
import type { Principal } from '../../kernel/principal';
import type { SessionKey } from '../session.entity';
import type { Budget } from './budget';
import { letterOf } from './event-codec';
import type { Journal } from './journal';
import { JournalPlace } from './journal-batch';
import { Outbox } from './outbox';
import { type RecordingStore, noRecording } from './recording-store';
import type { Ending, Progress, StoredState } from './shipment';
import type { Shipper } from './shipper';
import { NO_PROGRESS, TrailProgress } from './trail-progress';

/** An event of output has no more characters or bytes than this: whoever records less at once has less to wait for. */
const PIECE_LENGTH = 64 * 1024;
/** A session that has so much waiting waits for no company. */
const SHIP_FROM_BYTES = 256 * 1024;

/** Whoever ends a session waits for the store no longer than this once the journal has the end. */
const STORED_WITHIN_MS = 2_000;

const DONE = Promise.resolve();

/** What of a session is recorded, and what `append` waits for. */
export interface Manner {
  readonly scope: RecordingScope;
  readonly mode: RecordingMode;
}

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

/** An input is one message of the client, and stays one event; output is a stream, and may be cut anywhere. */
function partsOf(event: TrailEvent): readonly TrailEvent[] {
  const { type, content } = event;
  if (type === 'i' || content.length <= PIECE_LENGTH) return [event];
  if (typeof content === 'string')
    return piecesOf(content, PIECE_LENGTH).map((piece) => ({ type, content: piece }));
  const parts: TrailEvent[] = [];
  for (let at = 0; at < content.length; at += PIECE_LENGTH)
    parts.push({ type, content: content.subarray(at, at + PIECE_LENGTH) });
  return parts;
}

function lengthOf(content: string | Buffer): number {
  return typeof content === 'string' ? Buffer.byteLength(content) : content.length;
}

/** Records a running session. Every event goes to its outbox, and from there to the store; how it is kept until then is the connection's to say. */
export class RecordedTrail implements SessionTrail {
  private readonly end$ = unboundedController();
  private readonly startedAt: number;
  private readonly outbox: Outbox;
  private readonly progress: TrailProgress;
  /** In the journal; undefined where events are kept by the store alone. */
  private readonly place: JournalPlace | undefined;
  private lastNumber: number;
  /** Batch of the journal that has the end. */
  private endBatch = Infinity;
  private endWritten: Promise<void> | undefined;
  /** Whoever waits for room in memory; all that comes later waits behind. */
  private queue: Promise<unknown> | undefined;
  /** What is to be done once the session is over. */
  private closing: Promise<void> | undefined;

  /**
   * @param closed Called when it lets go of the session; whoever ends it waits for that too.
   * @param begun Of a recording that goes on.
   */
  constructor(
    private readonly session: SessionKey,
    readonly principal: Principal,
    private readonly manner: Manner,
    private readonly recording: Recording,
    private readonly closed: () => Promise<void> | void,
    begun: Begun = { state: noRecording(session.id), progress: NO_PROGRESS, time: 0 },
  ) {
    this.startedAt = performance.now() - begun.time;
    this.lastNumber = begun.state.journaled;
    this.progress = new TrailProgress(begun.progress);
    this.outbox = new Outbox(session, begun.state, {
      stored: (bytes, oldest) => this.stored(bytes, oldest),
      ended: () => this.close(),
      overtaken: () => this.abort('The session was ended while it was running.'),
    });
    this.outbox.learning = this.progress;
    if (manner.mode !== 'store') {
      const isSync = manner.mode === 'journal+fsync';
      this.place = new JournalPlace(parse(session.id), isSync, () => this.end$.abort(new RecordingFailed()));
    }
  }

  get sessionId(): string {
    return this.session.id;
  }

  get ended(): AbortSignal {
    return this.end$.signal;
  }

  append(type: EventType, content: string | Buffer, what?: InputKind): Promise<void> {
    if (type !== 'i') {
      if (this.manner.scope === 'input-only') return DONE;
      if (content.length > PIECE_LENGTH) return this.appendAll([{ type, content }]);
    }
    const length = lengthOf(content);
    if (this.queue !== undefined || !this.recording.budget.take(length))
      return this.appendLater([{ type, content, what }]);
    return this.put(type, content, length, what) ?? this.untilStored();
  }

  appendAll(events: readonly TrailEvent[]): Promise<void> {
    const [first] = events;
    // Most of what a wire brings.
    if (events.length === 1 && first !== undefined && first.content.length <= PIECE_LENGTH)
      return this.append(first.type, first.content, first.what);
    const isOn = this.manner.scope === 'on';
    const parts = events.flatMap((event) => (isOn || event.type === 'i' ? partsOf(event) : []));
    if (parts.length === 0) return DONE;
    const length = parts.reduce((sum, { content }) => sum + lengthOf(content), 0);
    if (this.queue !== undefined || !this.recording.budget.take(length)) return this.appendLater(parts);
    return this.keepAll(parts);
  }

  checked(): void {
    this.progress.checked();
  }

  blocked(hit: Hit): void {
    this.progress.blocked(hit);
  }

  masked(masks: readonly Mask[]): void {
    this.progress.masked(masks);
  }

  async end(exitCode: number): Promise<void> {
    const ending: Ending = { exitCode, after: this.elapsed() };
    this.endWritten ??= this.journalEnd(ending);
    this.outbox.end(ending);
    this.recording.shipper.shipNow(this.outbox);
    const ended = this.outbox.whenEnded().then(() => this.closing);
    // What the journal has will be stored: nobody has to wait for a database that is away.
    const kept = this.endWritten?.then(() => delay(STORED_WITHIN_MS, undefined, { ref: false }));
    await Promise.any(kept === undefined ? [ended] : [ended, kept]);
  }

  async park(): Promise<void> {
    this.recording.shipper.shipNow(this.outbox);
    await this.outbox.whenStored(this.lastNumber);
    await this.recording.store.release(this.session);
    await this.closed();
  }

  /** Somebody else ended the session, or its user may no longer act: the visit must stop. */
  abort(reason: string): void {
    this.end$.abort(new Error(reason));
  }

  /** Has all stored that was recorded until now. @throws when it cannot be just now. */
  async flush(): Promise<void> {
    if (this.outbox.isEmpty) return;
    this.recording.shipper.shipNow(this.outbox);
    await this.outbox.whenStored(this.lastNumber);
  }

  private stored(bytes: number, oldest = Infinity): void {
    this.recording.budget.free(bytes);
    if (this.place !== undefined) this.recording.journal.release(this.place, Math.min(oldest, this.endBatch));
  }

  private close(): void {
    this.endBatch = Infinity;
    if (this.place !== undefined) this.recording.journal.release(this.place, Infinity);
    this.closing = this.closed() ?? DONE;
  }

  /** As soon as there is room for it in memory. */
  private async appendLater(events: readonly TrailEvent[]): Promise<void> {
    // Bytes are the caller's again when the call returns.
    const copies = events.map((event) => ({ ...event, content: Buffer.from(event.content as string) }));
    const length = copies.reduce((sum, { content }) => sum + content.length, 0);
    const turn = Promise.resolve(this.queue)
      .catch(() => undefined)
      .then(() => this.recording.budget.room(length, this.ended))
      .then(() => ({ written: this.keepAll(copies) }));
    const leave = (): void => {
      if (this.queue === turn) this.queue = undefined;
    };
    this.queue = turn;
    turn.then(leave, leave);
    await (
      await turn
    ).written;
  }

  private keepAll(events: readonly TrailEvent[]): Promise<void> {
    const kept: Promise<void>[] = [];
    for (const { type, content, what } of events) {
      const written = this.put(type, content, lengthOf(content), what);
      if (written !== undefined && written !== kept.at(-1)) kept.push(written);
    }
    // In mode `store` the last is stored last; what is written in one turn has one promise.
    if (this.place === undefined) return this.untilStored();
    const [first = DONE, ...others] = kept;
    return others.length === 0 ? first : Promise.all(kept).then(() => undefined);
  }

  /** Puts the event on all its ways; resolves when the journal has it, undefined where there is none. */
  private put(
    type: EventType,
    content: string | Buffer,
    length: number,
    what: InputKind | undefined,
  ): Promise<void> | undefined {
    this.lastNumber += 1;
    this.progress.received();
    const letter = letterOf({ type, values: what === 'parameters' || undefined });
    const time = this.elapsed();
    const event = { kind: 'event', number: this.lastNumber, time, letter, content, length } as const;
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

  private async untilStored(): Promise<void> {
    try {
      await this.outbox.whenStored(this.lastNumber);
    } catch (error) {
      this.end$.abort(new RecordingFailed());
      throw error;
    }
  }

  private journalEnd(ending: Ending): Promise<void> | undefined {
    if (this.place === undefined) return undefined;
    this.endBatch = this.recording.journal.next;
    const time = this.elapsed();
    if (this.progress.isUntold) void this.journalJson(this.place, 'progress', this.progress.told(time));
    return this.journalJson(this.place, 'end', ending);
  }

  private journalJson(place: JournalPlace, kind: 'progress' | 'end', what: object): Promise<void> {
    const content = Buffer.from(JSON.stringify(what));
    const record = { kind, number: this.lastNumber, time: 0, letter: 0, content, length: content.length };
    return this.recording.journal.append(place, record);
  }

  /** Milliseconds since the start of the session, to the microsecond. */
  private elapsed(): number {
    return Math.round((performance.now() - this.startedAt) * 1000) / 1000;
  }
}

/** Many events may wait for room at once, and each of them listens for the end. */
function unboundedController(): AbortController {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  return controller;
}
