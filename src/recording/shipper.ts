import { setImmediate as turn } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { databaseOutage } from '../database/outage';
import { messageOf } from '../kernel/app-error';
import { RecordingSeal } from '../recording-format/chain';
import type { Outbox } from './outbox';
import { RecordingStore } from './recording-store';
import type { Shipment } from './shipment';

/** What waits for company waits no longer than this; */
const SHIP_EVERY_MS = 200;
/** no longer than this where so many events came with the last batch: a few large statements cost less than many small ones. */
const BUSY_SHIP_EVERY_MS = 800;
const BUSY_EVENTS = 500;
/** Bytes of contents that go in one statement, about; and of one session in it. */
const BATCH_BYTES = 8 * 1024 * 1024;
const SHARE_BYTES = 2 * 1024 * 1024;
const RETRY_AFTER_MS = 500;

/**
 * Carries what waits in outboxes to the database, of many sessions in one statement, one statement after the other;
 * what comes meanwhile goes with the next. A large event takes the database seconds, for it indexes each word: it goes beside the
 * others, one large event after the other. While the database cannot be reached it tries for ever.
 */
@Injectable()
export class Shipper {
  private readonly log = new Logger(Shipper.name);
  private readonly soon = new Set<Outbox>();
  private readonly due = new Set<Outbox>();
  /** What failed, until it is tried again. */
  private readonly postponed = new Map<Outbox, NodeJS.Timeout>();
  /** What was in a batch that the database refused: each is tried by itself. */
  private readonly alone = new Set<Outbox>();
  private readonly givenUp = new WeakSet<Outbox>();
  /** Their next event is large; the first is on its way. None of them is in a batch. */
  private readonly large = new Set<Outbox>();
  private runningLarge: Promise<void> | undefined;
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private isStopping = false;
  private isBusy = false;
  /** Why nothing can be stored just now. */
  fault: string | undefined;

  constructor(
    private readonly store: RecordingStore,
    private readonly seal: RecordingSeal,
  ) {}

  /** With the next that goes, within a fraction of a second. */
  shipSoon(outbox: Outbox): void {
    this.soon.add(outbox);
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

  shipNow(outbox: Outbox): void {
    this.soon.delete(outbox);
    this.due.add(outbox);
    this.start();
  }

  /** Tries no more: whoever filled the outbox fills another one later. */
  giveUp(outbox: Outbox): void {
    this.givenUp.add(outbox);
    for (const waiting of [this.soon, this.due, this.alone, this.large]) waiting.delete(outbox);
    clearTimeout(this.postponed.get(outbox));
    this.postponed.delete(outbox);
  }

  /** Ships what there is, without trying again: what fails stays where it is kept. */
  async stop(): Promise<void> {
    this.isStopping = true;
    clearTimeout(this.timer);
    for (const outbox of [...this.soon, ...this.postponed.keys()]) this.due.add(outbox);
    this.start();
    while (this.running !== undefined || this.runningLarge !== undefined)
      await Promise.all([this.running, this.runningLarge]);
    for (const timer of this.postponed.values()) clearTimeout(timer);
  }

  private start(): void {
    if (this.due.size > 0) this.running ??= this.run();
  }

  /** Whoever was waiting for the batch before has the turn to bring what goes with the next. */
  private async run(): Promise<void> {
    while (this.due.size > 0) {
      await turn();
      await this.attempt(this.nextBatch());
    }
    // In the same turn as the last look at `due`: what comes a moment later must start anew.
    this.running = undefined;
  }

  /** Beside `run`. */
  private async runLarge(): Promise<void> {
    for (const outbox of this.large) await this.attempt([outbox]);
    this.runningLarge = undefined;
  }

  private async attempt(batch: readonly Outbox[]): Promise<void> {
    if (batch.length === 0) return;
    try {
      await this.ship(batch);
      this.fault = undefined;
    } catch (error) {
      this.failed(batch, error);
    }
  }

  private failed(batch: readonly Outbox[], error: unknown): void {
    for (const outbox of batch) {
      outbox.doubt();
      this.large.delete(outbox);
    }
    if (batch.length > 1 && databaseOutage(error) === undefined) {
      // One that the database refuses must not keep the others from being stored.
      for (const outbox of batch) {
        this.alone.add(outbox);
        this.due.add(outbox);
      }
      return;
    }
    const fault = `recordings cannot be stored: ${messageOf(error)}`;
    if (fault !== this.fault) this.log.warn(fault);
    this.fault = fault;
    for (const outbox of batch) {
      outbox.fail(error);
      if (!this.isStopping && !this.givenUp.has(outbox)) this.postpone(outbox);
    }
  }

  private postpone(outbox: Outbox): void {
    const again = (): void => {
      this.postponed.delete(outbox);
      this.due.add(outbox);
      this.start();
    };
    clearTimeout(this.postponed.get(outbox));
    this.postponed.set(outbox, setTimeout(again, RETRY_AFTER_MS));
  }

  private nextBatch(): Outbox[] {
    const batch: Outbox[] = [];
    let bytes = 0;
    for (const outbox of this.due) {
      if (this.large.has(outbox) || outbox.isNextLarge(SHARE_BYTES)) {
        this.due.delete(outbox);
        this.large.add(outbox);
        this.runningLarge ??= this.runLarge();
        continue;
      }
      bytes += Math.min(outbox.bytes, SHARE_BYTES);
      const fits = bytes <= BATCH_BYTES && !this.alone.has(outbox);
      if (batch.length > 0 && !fits) break;
      this.due.delete(outbox);
      batch.push(outbox);
      if (this.alone.delete(outbox)) break;
    }
    return batch;
  }

  private async ship(batch: readonly Outbox[]): Promise<void> {
    await Promise.all(batch.filter((outbox) => outbox.needsState).map((outbox) => this.look(outbox)));
    const outboxes = batch.filter((outbox) => !outbox.isEmpty && !outbox.needsState);
    const shipments: Shipment[] = [];
    for (const outbox of outboxes) shipments.push(await outbox.next(SHARE_BYTES, this.seal));
    this.isBusy = eventsOf(shipments) >= BUSY_EVENTS;
    const stored = shipments.length === 0 ? new Map() : await this.store.ship(shipments);
    for (const outbox of batch) this.large.delete(outbox);
    for (const [index, outbox] of outboxes.entries()) {
      const shipment = shipments[index] as Shipment;
      const outcome = stored.get(outbox.session.id);
      // Somebody else wrote to it, or an earlier try had come through.
      if (outcome === undefined) outbox.doubt();
      else outbox.settle(shipment, outcome.isOver);
      if (outbox.isEmpty) continue;
      // What came meanwhile waits for company too: a statement for each few events is most of what they cost.
      if (this.isStopping || outbox.isAwaited || outbox.bytes >= SHARE_BYTES) this.shipNow(outbox);
      else this.shipSoon(outbox);
    }
  }

  private async look(outbox: Outbox): Promise<void> {
    const state = await this.store.stateOf(outbox.session);
    if (state !== undefined) return outbox.resume(state);
    // Rows of sessions are never deleted: this is another database, or an older copy of it.
    const fault = `what was recorded of session ${outbox.session.id} has no place in this database`;
    this.log.error(fault);
    outbox.fail(new Error(fault));
  }
}

function eventsOf(shipments: readonly Shipment[]): number {
  return shipments.reduce((sum, { before, after }) => sum + after.eventsStored - before.eventsStored, 0);
}
