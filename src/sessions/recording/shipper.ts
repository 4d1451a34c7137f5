import { setImmediate as turn } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { databaseOutage } from '../../platform/database/faults/outage';
import { messageOf } from '../../kernel/app-error';
import { RecordingSeal } from '../format/chain';
import type { PendingChunks } from './pending-chunks';
import { RecordingStore } from './recording-store';
import type { Shipment } from './shipment';

/** Delay after which pending events are stored, together with events of other sessions. */
const SHIP_EVERY_MS = 200;
/** Delay after a batch of many events, because a few large statements cost less than many small ones. */
const BUSY_SHIP_EVERY_MS = 800;
const BUSY_EVENTS = 500;
/** Approximate maximum bytes of contents in one statement, and of one session in a statement. */
const BATCH_BYTES = 8 * 1024 * 1024;
const SHARE_BYTES = 2 * 1024 * 1024;
const RETRY_AFTER_MS = 500;

/**
 * Stores the pending events of many sessions in one statement, and runs one statement after the other. Events
 * added meanwhile go into the next statement. PostgreSQL needs seconds for a large event, because it indexes
 * each word. So large events are stored over a second connection, one after the other. While the database is
 * unreachable, the shipper retries without limit.
 */
@Injectable()
export class Shipper {
  private readonly log = new Logger(Shipper.name);
  private readonly soon = new Set<PendingChunks>();
  private readonly due = new Set<PendingChunks>();
  /** Recordings whose shipment failed, with the timer of their next attempt. */
  private readonly postponed = new Map<PendingChunks, NodeJS.Timeout>();
  /** Recordings of a batch that the database refused. Each is stored in a statement of its own. */
  private readonly alone = new Set<PendingChunks>();
  private readonly givenUp = new WeakSet<PendingChunks>();
  /** Recordings whose next event is large. The first one is being stored. None of them is in a batch. */
  private readonly large = new Set<PendingChunks>();
  private runningLarge: Promise<void> | undefined;
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private isStopping = false;
  private isBusy = false;
  /** Numbers of events of all sessions since the gateway started: received by the shipper, and stored. */
  received = 0;
  stored = 0;
  /**
   * Recordings with events that are not stored yet, and the time since when they wait (`performance.now()`).
   */
  private readonly waitsSince = new Map<PendingChunks, number>();
  /** Reason why nothing can be stored; undefined: storing works. */
  fault: string | undefined;

  constructor(
    private readonly store: RecordingStore,
    private readonly seal: RecordingSeal,
  ) {}

  /** Stores the pending events with the next batch, within a fraction of a second. */
  shipSoon(pending: PendingChunks): void {
    if (this.givenUp.has(pending)) return;
    this.noteWaiting(pending);
    this.soon.add(pending);
    this.timer ??= setTimeout(
      () => {
        this.timer = undefined;
        for (const waiting of this.soon) this.due.add(waiting);
        this.soon.clear();
        this.start();
      },
      this.isBusy ? BUSY_SHIP_EVERY_MS : SHIP_EVERY_MS,
    );
  }

  shipNow(pending: PendingChunks): void {
    if (this.givenUp.has(pending)) return;
    this.noteWaiting(pending);
    this.soon.delete(pending);
    this.due.add(pending);
    this.start();
  }

  /** Number of recordings that wait to be stored. */
  get waiting(): number {
    return this.waitsSince.size;
  }

  /** Approximate milliseconds for which the oldest pending event has waited. */
  get lagMs(): number {
    const now = performance.now();
    let oldest = now;
    for (const since of this.waitsSince.values()) oldest = Math.min(oldest, since);
    return now - oldest;
  }

  /** Stops all attempts for a recording. A later replay reads its events from the journal again. */
  giveUp(pending: PendingChunks): void {
    this.givenUp.add(pending);
    this.waitsSince.delete(pending);
    for (const waiting of [this.soon, this.due, this.alone, this.large]) waiting.delete(pending);
    clearTimeout(this.postponed.get(pending));
    this.postponed.delete(pending);
  }

  /** Ships all pending events once, without retries. Events that fail stay in the journal. */
  async stop(): Promise<void> {
    this.isStopping = true;
    clearTimeout(this.timer);
    for (const pending of [...this.soon, ...this.postponed.keys()]) this.due.add(pending);
    this.start();
    while (this.running !== undefined || this.runningLarge !== undefined)
      await Promise.all([this.running, this.runningLarge]);
    for (const timer of this.postponed.values()) clearTimeout(timer);
  }

  private noteWaiting(pending: PendingChunks): void {
    if (!this.waitsSince.has(pending)) this.waitsSince.set(pending, performance.now());
  }

  /** Whether another shipment of this recording will follow the one that is being stored. */
  private isQueued(pending: PendingChunks): boolean {
    return [this.soon, this.due, this.large].some((waiting) => waiting.has(pending));
  }

  private start(): void {
    if (this.due.size > 0) this.running ??= this.run();
  }

  /**
   * Stores batches until none is due. Before each batch, callers that waited for the previous batch can run,
   * so that their next events are in the batch.
   */
  private async run(): Promise<void> {
    while (this.due.size > 0) {
      await turn();
      await this.attempt(this.nextBatch());
    }
    // Reset in the same turn as the last check of `due`, so that a later event starts a new loop.
    this.running = undefined;
  }

  /** Stores large events, one recording after the other, concurrently with `run`. */
  private async runLarge(): Promise<void> {
    for (const pending of this.large) await this.attempt([pending]);
    this.runningLarge = undefined;
  }

  private async attempt(batch: readonly PendingChunks[]): Promise<void> {
    if (batch.length === 0) return;
    try {
      await this.ship(batch);
      this.fault = undefined;
      for (const pending of batch) if (!this.isQueued(pending)) this.waitsSince.delete(pending);
    } catch (error) {
      this.failed(batch, error);
    }
  }

  private failed(batch: readonly PendingChunks[], error: unknown): void {
    for (const pending of batch) {
      pending.doubt();
      this.large.delete(pending);
    }
    if (batch.length > 1 && databaseOutage(error) === undefined) {
      // One refused recording must not block the others.
      for (const pending of batch.filter((one) => !this.givenUp.has(one))) {
        this.alone.add(pending);
        this.due.add(pending);
      }
      return;
    }
    const fault = `recordings cannot be stored: ${messageOf(error)}`;
    if (fault !== this.fault) this.log.warn(fault);
    this.fault = fault;
    for (const pending of batch) {
      pending.fail(error);
      if (!this.isStopping && !this.givenUp.has(pending)) this.postpone(pending);
    }
  }

  private postpone(pending: PendingChunks): void {
    const again = (): void => {
      this.postponed.delete(pending);
      this.due.add(pending);
      this.start();
    };
    clearTimeout(this.postponed.get(pending));
    this.postponed.set(pending, setTimeout(again, RETRY_AFTER_MS));
  }

  private nextBatch(): PendingChunks[] {
    const batch: PendingChunks[] = [];
    let bytes = 0;
    for (const pending of this.due) {
      if (this.large.has(pending) || pending.isNextLarge(SHARE_BYTES)) {
        this.due.delete(pending);
        this.large.add(pending);
        this.runningLarge ??= this.runLarge();
        continue;
      }
      bytes += Math.min(pending.bytes, SHARE_BYTES);
      const fits = bytes <= BATCH_BYTES && !this.alone.has(pending);
      if (batch.length > 0 && !fits) break;
      this.due.delete(pending);
      batch.push(pending);
      if (this.alone.delete(pending)) break;
    }
    return batch;
  }

  private async ship(batch: readonly PendingChunks[]): Promise<void> {
    const begunAt = performance.now();
    await Promise.all(
      batch.filter((pending) => pending.needsState).map((pending) => this.readState(pending)),
    );
    const waiting = batch.filter((pending) => !pending.isEmpty && !pending.needsState);
    const shipments: Shipment[] = [];
    for (const pending of waiting) shipments.push(await pending.next(SHARE_BYTES, this.seal));
    this.isBusy = eventsOf(shipments) >= BUSY_EVENTS;
    const stored = shipments.length === 0 ? new Map() : await this.store.ship(shipments);
    for (const pending of batch) this.large.delete(pending);
    for (const [index, pending] of waiting.entries()) {
      const shipment = shipments[index] as Shipment;
      const outcome = stored.get(pending.session.id);
      // Not stored: either another writer changed the row, or an earlier attempt had already stored the
      // events.
      if (outcome === undefined) pending.doubt();
      else {
        this.stored += eventsOf([shipment]);
        pending.settle(shipment, outcome.isOver);
        // If only the session's end or counts are pending, they were added after `begunAt`.
        if (!this.givenUp.has(pending)) this.waitsSince.set(pending, pending.oldestSince ?? begunAt);
      }
      if (pending.isEmpty) continue;
      // A few new events wait for more events, because a statement costs more than a few events.
      if (this.isStopping || pending.isAwaited || pending.bytes >= SHARE_BYTES) this.shipNow(pending);
      else this.shipSoon(pending);
    }
  }

  private async readState(pending: PendingChunks): Promise<void> {
    const state = await this.store.stateOf(pending.session);
    if (state !== undefined) return pending.resume(state);
    // Rows of sessions are never deleted, so the gateway uses another database, or an older copy of it.
    const fault = `what was recorded of session ${pending.session.id} has no place in this database`;
    this.log.error(fault);
    pending.fail(new Error(fault));
  }
}

function eventsOf(shipments: readonly Shipment[]): number {
  return shipments.reduce((sum, { before, after }) => sum + after.eventsStored - before.eventsStored, 0);
}
