import { setTimeout as delay } from 'node:timers/promises';
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
import { NO_CHUNK } from './chain';
import type { Journal, Kept } from './journal';
import type { JournalRecord } from './journal-records';
import { type NumberedEvent, Outbox } from './outbox';
import type { RecordingStore } from './recording-store';
import type { Ending } from './shipment';
import type { Shipper } from './shipper';
import { TrailProgress } from './trail-progress';

/** An event of output is no longer than this: whoever records less at once has less to wait for. */
const PIECE_CHARACTERS = 64 * 1024;
/** A session that has so much waiting waits for no company. */
const SHIP_FROM_BYTES = 256 * 1024;

/** Whoever ends a session waits for the store no longer than this once the journal has the end. */
const STORED_WITHIN_MS = 2_000;

/** What of a session is recorded, and what `append` waits for. */
export interface Manner {
  readonly scope: RecordingScope;
  readonly mode: RecordingMode;
}

/** What all trails of a gateway share. */
export interface Recording {
  readonly journal: Journal;
  readonly shipper: Shipper;
  readonly store: RecordingStore;
  readonly budget: Budget;
}

/** An event as both the journal and the outbox take it. */
class KeptEvent implements NumberedEvent {
  readonly kind = 'event';
  kept: Kept | undefined;

  constructor(
    readonly sessionId: string,
    readonly number: number,
    readonly time: number,
    readonly type: EventType,
    readonly values: true | undefined,
    readonly content: Buffer,
    private readonly budget: Budget,
  ) {}

  stored(): void {
    this.budget.free(this.content.length);
    this.kept?.release();
  }
}

/** An input is one message of the client, and stays one event; output is a stream, and may be cut anywhere. */
function partsOf(event: TrailEvent): readonly TrailEvent[] {
  const { type, content } = event;
  if (type === 'i' || content.length <= PIECE_CHARACTERS) return [event];
  if (typeof content === 'string')
    return piecesOf(content, PIECE_CHARACTERS).map((piece) => ({ type, content: piece }));
  const parts: TrailEvent[] = [];
  for (let at = 0; at < content.length; at += PIECE_CHARACTERS)
    parts.push({ type, content: content.subarray(at, at + PIECE_CHARACTERS) });
  return parts;
}

/** Records a running session. Every event goes to its outbox, and from there to the store; how it is kept until then is the connection's to say. */
export class RecordedTrail implements SessionTrail {
  private readonly end$ = new AbortController();
  private readonly startedAt = performance.now();
  private readonly outbox: Outbox;
  private readonly progress = new TrailProgress();
  private lastNumber = 0;
  private endKept: Kept | undefined;

  constructor(
    private readonly session: SessionKey,
    readonly principal: Principal,
    private readonly manner: Manner,
    private readonly recording: Recording,
    private readonly closed: () => void,
  ) {
    const nothing = { chunkCount: 0, chainHash: NO_CHUNK, eventsStored: 0, eventSize: 0, journaled: 0 };
    this.outbox = new Outbox(
      session,
      { ...nothing, sessionId: session.id },
      {
        ended: () => this.close(),
        overtaken: () => this.abort('The session was ended while it was running.'),
      },
    );
    this.outbox.learning = this.progress;
  }

  get sessionId(): string {
    return this.session.id;
  }

  get ended(): AbortSignal {
    return this.end$.signal;
  }

  append(type: EventType, content: string | Buffer, what?: InputKind): Promise<void> {
    return this.appendAll([{ type, content, what }]);
  }

  async appendAll(events: readonly TrailEvent[]): Promise<void> {
    const parts = this.manner.scope === 'input-only' ? events.filter(({ type }) => type === 'i') : events;
    await Promise.all(parts.flatMap(partsOf).map((part) => this.appendOne(part)));
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
    this.endKept = this.journaled({ kind: 'end', ...this.said(ending) });
    this.outbox.end(ending);
    this.recording.shipper.shipNow(this.outbox);
    const ended = this.outbox.whenEnded();
    // What the journal has will be stored: nobody has to wait for a database that is away.
    const kept = this.endKept?.written.then(() => delay(STORED_WITHIN_MS, undefined, { ref: false }));
    await Promise.any(kept === undefined ? [ended] : [ended, kept]);
  }

  async park(): Promise<void> {
    this.recording.shipper.shipNow(this.outbox);
    await this.outbox.whenStored(this.lastNumber);
    await this.recording.store.release(this.session);
    this.closed();
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

  private close(): void {
    this.endKept?.release();
    this.closed();
  }

  private async appendOne({ type, content: said, what }: TrailEvent): Promise<void> {
    // Bytes are copied: they belong to the caller.
    const content = typeof said === 'string' ? Buffer.from(said) : Buffer.from(said);
    await this.recording.budget.room(content.length, this.ended);
    try {
      await this.keep(type, content, what);
    } catch (error) {
      this.end$.abort(new RecordingFailed());
      throw error;
    }
  }

  private async keep(type: EventType, content: Buffer, what: InputKind | undefined): Promise<void> {
    const { shipper, budget } = this.recording;
    this.lastNumber += 1;
    this.progress.received();
    const event = new KeptEvent(
      this.session.id,
      this.lastNumber,
      this.elapsed(),
      type,
      what === 'parameters' ? true : undefined,
      content,
      budget,
    );
    event.kept = this.journaled(event);
    this.outbox.add(event);
    if (event.kept === undefined || this.outbox.bytes >= SHIP_FROM_BYTES) shipper.shipNow(this.outbox);
    else shipper.shipSoon(this.outbox);
    await (event.kept?.written ?? this.outbox.whenStored(event.number));
  }

  /** Puts the record into the journal, after what the journal does not know of yet; undefined where there is none. */
  private journaled(record: JournalRecord): Kept | undefined {
    if (this.manner.mode === 'store') return undefined;
    const { journal } = this.recording;
    const sync = this.manner.mode === 'journal+fsync';
    const records = [record];
    if (this.progress.isNews) {
      this.progress.isNews = false;
      records.unshift({ kind: 'progress', ...this.said(this.progress.now()) });
    }
    return journal.append(records, sync);
  }

  private said(what: object): { sessionId: string; number: number; content: Buffer } {
    return {
      sessionId: this.session.id,
      number: this.lastNumber,
      content: Buffer.from(JSON.stringify(what)),
    };
  }

  /** Milliseconds since the start of the session, to the microsecond. */
  private elapsed(): number {
    return Math.round((performance.now() - this.startedAt) * 1000) / 1000;
  }
}
