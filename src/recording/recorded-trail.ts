import { setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { parse } from 'uuid';
import type { Hit, Mask } from '../gate/ports/guardrails';
import { RecordingFailed } from '../gate/ports/session-end';
import {
  type EventContent,
  type EventType,
  type InputKind,
  type SessionTrail,
  type TrailEvent,
} from '../gate/ports/session-recorder';
import type { RecordingMode, RecordingScope } from '../gate/ports/target-directory';
import type { Eventual } from '../kernel/eventual';
import { piecesOf } from '../kernel/pieces';
import type { Principal } from '../kernel/principal';
import type { SessionKey } from './session.entity';
import { type Begun, EventWays, type Recording } from './event-ways';
import { JournalPlace } from '../journal/journal-batch';
import { isLarge, roomFor } from '../recording-format/large-event';
import { Outbox } from './outbox';
import { noRecording } from './recording-store';
import type { Ending } from './shipment';
import { NO_PROGRESS } from './trail-progress';

/** An event of output has no more characters or bytes than this: whoever records less at once has less to wait for. */
const PIECE_LENGTH = 64 * 1024;
/** Whoever ends a session waits for the store no longer than this once the journal has the end. */
const STORED_WITHIN_MS = 2_000;

const DONE = Promise.resolve();

/** What of a session is recorded, and what `append` waits for. */
export interface Manner {
  readonly scope: RecordingScope;
  readonly mode: RecordingMode;
}

/** An input is one message of the client, and stays one event; output is a stream, and may be cut anywhere. */
function partsOf(event: TrailEvent): readonly TrailEvent[] {
  const { type, content } = event;
  if (type === 'i' || Array.isArray(content) || content.length <= PIECE_LENGTH) return [event];
  if (typeof content === 'string')
    return piecesOf(content, PIECE_LENGTH).map((piece) => ({ type, content: piece }));
  const parts: TrailEvent[] = [];
  const bytes = content as Buffer;
  for (let at = 0; at < bytes.length; at += PIECE_LENGTH)
    parts.push({ type, content: bytes.subarray(at, at + PIECE_LENGTH) });
  return parts;
}

/** Bytes are the caller's again when the call returns; but for those of what is large. */
function copyOf(event: TrailEvent): TrailEvent {
  return isLarge(event.content) ? event : { ...event, content: Buffer.from(event.content as string) };
}

/** Records a running session. Every event goes to its outbox, and from there to the store; how it is kept until then is the connection's to say. */
export class RecordedTrail implements SessionTrail {
  private readonly end$ = unboundedController();
  private readonly outbox: Outbox;
  private readonly ways: EventWays;
  private endWritten: Promise<void> | undefined;
  /** Whoever waits for room in memory; all that comes later waits behind. */
  private queue: Promise<unknown> | undefined;
  /** Large events that are being recorded bit by bit. Never rejects. */
  private large: Promise<unknown> | undefined;
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
    this.outbox = new Outbox(session, begun.state, {
      stored: (bytes, oldest) => this.stored(bytes, oldest),
      ended: () => this.close(),
      overtaken: () => this.abort('The session was ended while it was running.'),
    });
    this.ways = new EventWays(recording, this.outbox, this.placeInJournal(), begun);
    this.outbox.learning = this.ways.progress;
  }

  get sessionId(): string {
    return this.session.id;
  }

  get ended(): AbortSignal {
    return this.end$.signal;
  }

  append(type: EventType, content: EventContent, what?: InputKind): Promise<void> {
    if (type !== 'i') {
      if (this.manner.scope === 'input-only') return DONE;
      if (content.length > PIECE_LENGTH) return this.appendAll([{ type, content }]);
    }
    if (isLarge(content)) return this.appendLater([{ type, content, what }]);
    const length = roomFor(content);
    if (this.queue !== undefined || !this.ways.room.take(length))
      return this.appendLater([{ type, content, what }]);
    return this.ways.put({ type, content, what }, length) ?? this.untilStored();
  }

  appendAll(events: readonly TrailEvent[]): Promise<void> {
    const [first] = events;
    // Most of what a wire brings.
    if (events.length === 1 && first !== undefined && first.content.length <= PIECE_LENGTH)
      return this.append(first.type, first.content, first.what);
    const isOn = this.manner.scope === 'on';
    const parts = events.flatMap((event) => (isOn || event.type === 'i' ? partsOf(event) : []));
    if (parts.length === 0) return DONE;
    if (parts.some(({ content }) => isLarge(content))) return this.appendLater(parts);
    const length = parts.reduce((sum, { content }) => sum + roomFor(content), 0);
    if (this.queue !== undefined || !this.ways.room.take(length)) return this.appendLater(parts);
    return this.keepAll(parts);
  }

  checked(): void {
    this.ways.progress.checked();
  }

  blocked(hit: Hit): void {
    this.ways.progress.blocked(hit);
  }

  masked(masks: readonly Mask[]): void {
    this.ways.progress.masked(masks);
  }

  async end(exitCode: number): Promise<void> {
    // What was begun of a large input is recorded to its end.
    if (this.large !== undefined) await this.large;
    const ending: Ending = { exitCode, after: this.ways.elapsed() };
    this.endWritten ??= this.ways.end(ending);
    this.outbox.end(ending);
    this.recording.shipper.shipNow(this.outbox);
    const ended = this.outbox.whenEnded().then(() => this.closing);
    // What the journal has will be stored: nobody has to wait for a database that is away.
    const kept = this.endWritten?.then(() => delay(STORED_WITHIN_MS, undefined, { ref: false }));
    await Promise.any(kept === undefined ? [ended] : [ended, kept]);
  }

  async park(): Promise<void> {
    this.recording.shipper.shipNow(this.outbox);
    await this.outbox.whenStored(this.ways.lastNumber);
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
    await this.outbox.whenStored(this.ways.lastNumber);
  }

  /** Undefined where events are kept by the store alone. */
  private placeInJournal(): JournalPlace | undefined {
    const { mode } = this.manner;
    if (mode === 'store') return undefined;
    const failed = (): void => this.end$.abort(new RecordingFailed());
    return new JournalPlace(parse(this.session.id), mode === 'journal+fsync', failed);
  }

  private stored(bytes: number, oldest = Infinity): void {
    this.ways.room.free(bytes);
    this.ways.release(oldest);
  }

  private close(): void {
    this.ways.close();
    this.closing = this.closed() ?? DONE;
  }

  /** As soon as there is room for it in memory; bit by bit where it is large. */
  private async appendLater(events: readonly TrailEvent[]): Promise<void> {
    const copies = events.map(copyOf);
    const length = copies.reduce((sum, { content }) => sum + roomFor(content), 0);
    const keep = (): Eventual<{ written: Promise<void> }> =>
      copies.some(({ content }) => isLarge(content))
        ? this.keepBitByBit(copies)
        : { written: this.keepAll(copies) };
    const { room } = this.ways;
    const turn =
      this.queue === undefined && room.take(length)
        ? Promise.resolve(keep())
        : Promise.resolve(this.queue)
            .catch(() => undefined)
            .then(() => room.untilTaken(length, this.ended))
            .then(keep);
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
    for (const event of events) {
      const written = this.ways.put(event, roomFor(event.content));
      if (written !== undefined && written !== kept.at(-1)) kept.push(written);
    }
    // In mode `store` the last is stored last; what is written in one turn has one promise.
    if (this.manner.mode === 'store') return this.untilStored();
    const [first = DONE, ...others] = kept;
    return others.length === 0 ? first : Promise.all(kept).then(() => undefined);
  }

  /** The same where some are large. All that is recorded meanwhile waits behind. */
  private async keepBitByBit(events: readonly TrailEvent[]): Promise<{ written: Promise<void> }> {
    const kept: Promise<void>[] = [];
    const keep = async (): Promise<void> => {
      for (const event of events) {
        const isByItself = isLarge(event.content);
        const written = isByItself ? this.ways.putLarge(event) : this.ways.put(event, roomFor(event.content));
        if (written === undefined) continue;
        kept.push(written);
        if (isByItself) await written.catch(() => undefined);
      }
    };
    this.large = keep();
    await this.large;
    this.large = undefined;
    const written =
      this.manner.mode === 'store' ? this.untilStored() : Promise.all(kept).then(() => undefined);
    return { written };
  }

  private async untilStored(): Promise<void> {
    try {
      await this.outbox.whenStored(this.ways.lastNumber);
    } catch (error) {
      this.end$.abort(new RecordingFailed());
      throw error;
    }
  }
}

/** Many events may wait for room at once, and each of them listens for the end. */
function unboundedController(): AbortController {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  return controller;
}
