import { setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { parse } from 'uuid';
import type { Hit, Mask } from '../../gate/ports/guardrails';
import { EXIT_BLOCKED, RecordingFailed } from '../../gate/ports/session-end';
import {
  type EventContent,
  type TrailEventType,
  type InputKind,
  type SessionTrail,
  type TrailEvent,
} from '../../gate/ports/session-recorder';
import type { RecordingMode, RecordingScope } from '../../gate/ports/target-directory';
import { throwPassing } from '../../platform/database/faults/passing-fault';
import type { MaybePromise } from '../../kernel/async/maybe-promise';
import type { Principal } from '../../kernel/principal';
import type { SessionKey } from './session.entity';
import { type ResumeState, EventWriter, type RecordingPipeline } from './event-writer';
import { JournalPlace } from '../journal/journal-batch';
import { isLarge, roomFor } from '../format/large-event';
import { PIECE_LENGTH, copyOfEvent, partsOfEvent } from '../format/event-parts';
import { PendingChunks } from './pending-chunks';
import { noRecording } from './recording-store';
import type { SessionEnd } from './shipment';
import { NO_PROGRESS } from './trail-progress';

/** Maximum time that `end` waits for the database, once the journal has the end of the session. */
const STORED_WITHIN_MS = 2_000;

const DONE = Promise.resolve();

/**
 * Outcome of a session.
 * - `waiting`: parked for a review; this gateway no longer runs it
 * - `stopped`: ended from outside, or because it could not be recorded
 */
export type SessionOutcome = 'completed' | 'failed' | 'blocked' | 'waiting' | 'stopped';

/** Selects which events of a session are recorded, and when `append` resolves. */
export interface RecordingPolicy {
  readonly scope: RecordingScope;
  readonly mode: RecordingMode;
}

/**
 * Records a running session. Every event becomes a pending event, which the shipper stores. The recording
 * mode determines when `append` resolves.
 */
export class RecordedTrail implements SessionTrail {
  private readonly end$ = unboundedController();
  private readonly pending: PendingChunks;
  private readonly writer: EventWriter;
  private endWritten: Promise<void> | undefined;
  /** Last append that waits for memory. Later appends wait behind it. */
  private queue: Promise<unknown> | undefined;
  /** Resolves when the large events that are in progress are recorded. Never rejects. */
  private large: Promise<unknown> | undefined;
  /** Result of `closed`, set once the session is over. */
  private closing: Promise<void> | undefined;
  private exit: number | 'waiting' | undefined;

  /**
   * @param closed Called when nothing more of the session is recorded here; `end` and `park` wait for its
   * result.
   * @param state State from which the recording continues; by default a new recording begins.
   */
  constructor(
    private readonly session: SessionKey,
    readonly principal: Principal,
    private readonly policy: RecordingPolicy,
    private readonly recording: RecordingPipeline,
    private readonly closed: () => Promise<void> | void,
    state: ResumeState = { state: noRecording(session.id), progress: NO_PROGRESS, time: 0 },
  ) {
    this.pending = new PendingChunks(session, state.state, {
      stored: (bytes, oldest) => this.stored(bytes, oldest),
      ended: () => this.close(),
      overtaken: () => this.abort('The session was ended while it was running.'),
    });
    this.writer = new EventWriter(recording, this.pending, this.placeInJournal(), state);
    this.pending.progressSource = this.writer.progress;
  }

  get sessionId(): string {
    return this.session.id;
  }

  get ended(): AbortSignal {
    return this.end$.signal;
  }

  append(type: TrailEventType, content: EventContent, what?: InputKind): Promise<void> {
    if (type !== 'i') {
      if (this.policy.scope === 'input-only') return DONE;
      if (content.length > PIECE_LENGTH) return this.appendAll([{ type, content }]);
    }
    if (isLarge(content)) return this.appendLater([{ type, content, what }]);
    const length = roomFor(content);
    if (this.queue !== undefined || !this.writer.memory.tryAcquire(length))
      return this.appendLater([{ type, content, what }]);
    return this.writer.put({ type, content, what }, length) ?? this.untilStored();
  }

  appendAll(events: readonly TrailEvent[]): Promise<void> {
    const [first] = events;
    // Handles the common case of wire proxies separately: one small event.
    if (events.length === 1 && first !== undefined && first.content.length <= PIECE_LENGTH)
      return this.append(first.type, first.content, first.what);
    const isOn = this.policy.scope === 'on';
    const parts = events.flatMap((event) => (isOn || event.type === 'i' ? partsOfEvent(event) : []));
    if (parts.length === 0) return DONE;
    if (parts.some(({ content }) => isLarge(content))) return this.appendLater(parts);
    const length = parts.reduce((sum, { content }) => sum + roomFor(content), 0);
    if (this.queue !== undefined || !this.writer.memory.tryAcquire(length)) return this.appendLater(parts);
    return this.keepAll(parts);
  }

  checked(): void {
    this.writer.progress.checked();
  }

  blocked(hit: Hit): void {
    this.writer.progress.blocked(hit);
  }

  masked(masks: readonly Mask[]): void {
    this.writer.progress.masked(masks);
  }

  /** Current outcome, for metrics. */
  get outcome(): SessionOutcome {
    if (this.exit === 'waiting') return 'waiting';
    if (this.ended.aborted || this.exit === undefined) return 'stopped';
    if (this.exit === EXIT_BLOCKED) return 'blocked';
    return this.exit === 0 ? 'completed' : 'failed';
  }

  async end(exitCode: number): Promise<void> {
    this.exit ??= exitCode;
    // Waits until a large input that is in progress is recorded.
    if (this.large !== undefined) await this.large;
    const ending: SessionEnd = { exitCode, after: this.writer.elapsed() };
    this.endWritten ??= this.writer.end(ending);
    this.pending.end(ending);
    this.recording.shipper.shipNow(this.pending);
    const ended = this.pending.whenEnded().then(() => this.closing);
    // Events in the journal will be stored later, so the caller need not wait for an unreachable database.
    const waiting = new AbortController();
    const late = { ref: false, signal: waiting.signal };
    const kept = this.endWritten?.then(() => delay(STORED_WITHIN_MS, undefined, late));
    await Promise.any(kept === undefined ? [ended] : [ended, kept]).finally(() => waiting.abort());
  }

  async park(): Promise<void> {
    this.exit = 'waiting';
    this.recording.shipper.shipNow(this.pending);
    await this.pending.whenStored(this.writer.lastNumber);
    await this.recording.store.release(this.session);
    await this.closed();
  }

  /** Ends the session from outside: on request, or because its user may no longer act. */
  abort(reason: string): void {
    this.end$.abort(new Error(reason));
  }

  /** Stores all events recorded so far. @throws when the database cannot be reached. */
  async flush(): Promise<void> {
    if (this.pending.isEmpty) return;
    this.recording.shipper.shipNow(this.pending);
    await this.pending.whenStored(this.writer.lastNumber);
  }

  /** Returns the state of the session in the journal; undefined in mode `store`, which uses no journal. */
  private placeInJournal(): JournalPlace | undefined {
    const { mode } = this.policy;
    if (mode === 'store') return undefined;
    const failed = (): void => this.end$.abort(new RecordingFailed());
    return new JournalPlace(parse(this.session.id), mode === 'journal+fsync', failed);
  }

  private stored(bytes: number, oldest = Infinity): void {
    this.writer.memory.release(bytes);
    this.writer.release(oldest);
  }

  private close(): void {
    this.writer.close();
    this.closing = this.closed() ?? DONE;
  }

  /** Records events as soon as there is memory for them; large ones piece by piece. */
  private async appendLater(events: readonly TrailEvent[]): Promise<void> {
    const copies = events.map(copyOfEvent);
    const length = copies.reduce((sum, { content }) => sum + roomFor(content), 0);
    const keep = (): MaybePromise<{ written: Promise<void> }> =>
      copies.some(({ content }) => isLarge(content))
        ? this.keepBitByBit(copies)
        : { written: this.keepAll(copies) };
    const { memory } = this.writer;
    const turn =
      this.queue === undefined && memory.tryAcquire(length)
        ? Promise.resolve(keep())
        : Promise.resolve(this.queue)
            .catch(() => undefined)
            .then(() => memory.acquire(length, this.ended))
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
      const written = this.writer.put(event, roomFor(event.content));
      if (written !== undefined && written !== kept.at(-1)) kept.push(written);
    }
    // Mode `store` waits only for the last event, because events are stored in order. In the other modes,
    // events that are written in one turn share a promise.
    if (this.policy.mode === 'store') return this.untilStored();
    const [first = DONE, ...others] = kept;
    return others.length === 0 ? first : Promise.all(kept).then(() => undefined);
  }

  /** Like `keepAll`, but some of the events are large. Later appends wait until all events are written. */
  private async keepBitByBit(events: readonly TrailEvent[]): Promise<{ written: Promise<void> }> {
    const kept: Promise<void>[] = [];
    const keep = async (): Promise<void> => {
      for (const event of events) {
        const isByItself = isLarge(event.content);
        const written = isByItself
          ? this.writer.putLarge(event)
          : this.writer.put(event, roomFor(event.content));
        if (written === undefined) continue;
        kept.push(written);
        if (isByItself) await written.catch(() => undefined);
      }
    };
    this.large = keep();
    await this.large;
    this.large = undefined;
    const written =
      this.policy.mode === 'store' ? this.untilStored() : Promise.all(kept).then(() => undefined);
    return { written };
  }

  private async untilStored(): Promise<void> {
    try {
      await this.pending.whenStored(this.writer.lastNumber);
    } catch (error) {
      this.end$.abort(new RecordingFailed());
      throwPassing(error);
    }
  }
}

/** Returns a controller without a limit of listeners: each append that waits for memory is a listener. */
function unboundedController(): AbortController {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  return controller;
}
