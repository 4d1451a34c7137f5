import { Logger } from '@nestjs/common';
import { type ExportCursors, LEASE_SECONDS } from '../../platform/events/export-cursors';
import { messageOf } from '../../kernel/app-error';
import { FirstAbort } from '../../kernel/async/first-abort';
import { PeriodicTask } from '../../kernel/async/periodic-task';
import type { Counter } from '../../platform/metrics/meter';
import type { LabelsOf } from '../../platform/metrics/table';
import { type Destination, NotTaken } from './contract/destination';
import { type Batch, type EventSource, beginningOf } from './event-source';

const POLL_EVERY_MS = 1_000;
/** Timeout for sending one batch, including the DNS look-up. Much shorter than the lease of the cursor. */
const SENT_WITHIN_MS = 30_000;
const RENEW_EVERY_MS = (LEASE_SECONDS * 1_000) / 3;
/** Interval at which a process tries to claim a cursor that another process holds. */
const ASK_AGAIN_MS = 5_000;
/** Pause after the first failure; doubled after each failure that follows. */
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;
/** Time for which a batch in progress may continue at shutdown. */
const GRACE_MS = 3_000;

export interface ExporterParts {
  readonly cursors: ExportCursors;
  readonly source: EventSource;
  readonly sent: Counter<LabelsOf<'gateway_export_events_total'>>;
  readonly failures: Counter<LabelsOf<'gateway_export_failures_total'>>;
}

/**
 * Sends the events of the outbox to one destination, batch after batch, in order. Repeats each batch until it
 * is accepted. Every gateway has an exporter for the destination, but only the holder of the destination's
 * cursor sends. A receiver that accepts nothing delays only its own cursor.
 */
export class Exporter {
  private readonly log = new Logger(Exporter.name);
  private readonly reader;
  private readonly stopping = new AbortController();
  /** Position of the destination's cursor and renewal time of its lease, while this process holds it. */
  private held: { position: number; readonly renewAt: number } | undefined;
  /** Number of failures since the last accepted batch, and the message of the last failure. */
  private failed = { times: 0, message: '' };
  private pausedUntil = 0;
  /** Maximum number of events in a batch. Halved when a batch is too much for the receiver (`isTooMuch`). */
  private atOnce = Infinity;
  private readonly task = new PeriodicTask({
    everyMs: POLL_EVERY_MS,
    firstAfterMs: 0,
    work: () => this.exportAll(),
    onError: (message) => this.log.warn(`Events could not be read for their export: ${message}`),
  });

  constructor(
    private readonly destination: Destination,
    private readonly parts: ExporterParts,
  ) {
    this.reader = parts.cursors.reader();
  }

  start(): void {
    this.task.start();
  }

  /** Waits up to `GRACE_MS` for a batch in progress, then aborts it. Releases the cursor at the end. */
  async stop(): Promise<void> {
    if (!(await this.task.stop(GRACE_MS))) this.stopping.abort(new Error('the gateway is stopping'));
    await this.task.stop();
    if (this.held !== undefined) await this.parts.cursors.release(this.destination.name);
  }

  /** Sends batches until no event is left or an attempt fails. */
  private async exportAll(): Promise<void> {
    const { cursors, source } = this.parts;
    while (performance.now() >= this.pausedUntil && !this.stopping.signal.aborted) {
      const held = await this.hold();
      if (held === undefined) return;
      const stored = await this.reader.after(held.position);
      if (stored.length === 0) return;
      const batch = beginningOf(await source.batchOf(stored), this.atOnce);
      if (!(await this.isTaken(batch))) return;
      if (await cursors.advance(this.destination.name, batch.position)) held.position = batch.position;
      else this.held = undefined;
    }
  }

  /** Claims the cursor or renews its lease; undefined if another process holds the cursor. */
  private async hold(): Promise<{ position: number } | undefined> {
    const now = performance.now();
    if (this.held !== undefined && now < this.held.renewAt) return this.held;
    const isNew = this.held === undefined;
    this.held = undefined;
    const position = await this.parts.cursors.claim(this.destination.name);
    if (position === undefined) {
      this.pausedUntil = now + ASK_AGAIN_MS;
      return undefined;
    }
    if (isNew) this.log.log(`This process exports events to ${this.destination.address}`);
    // Counts the renewal time from before the claim, because the lease may begin any time during the claim.
    this.held = { position, renewAt: now + RENEW_EVERY_MS };
    return this.held;
  }

  private async isTaken({ events }: Batch): Promise<boolean> {
    if (events.length === 0) return true;
    const limit = new AbortController();
    const late = new Error(`it did not take them within ${SENT_WITHIN_MS / 1_000} s`);
    const timer = setTimeout(() => limit.abort(late), SENT_WITHIN_MS);
    const first = new FirstAbort([limit.signal, this.stopping.signal]);
    try {
      const { refused } = await this.destination.send(events, first.signal);
      this.noteTaken(events.length, refused);
      return true;
    } catch (error) {
      if (error instanceof NotTaken && error.isTooMuch) this.atOnce = Math.ceil(events.length / 2);
      if (!this.stopping.signal.aborted) this.noteFailure(first.signal.aborted ? late : error);
      return false;
    } finally {
      clearTimeout(timer);
      first.release();
    }
  }

  private noteTaken(count: number, refused: number): void {
    const destination = this.destination.name;
    this.parts.sent.add({ destination, result: 'delivered' }, count - refused);
    if (refused > 0) {
      this.parts.sent.add({ destination, result: 'refused' }, refused);
      this.log.error(`${this.destination.address} refused ${refused} of ${count} events for good`);
    }
    if (this.failed.times > 0) this.log.log(`${this.destination.address} takes events again`);
    this.failed = { times: 0, message: '' };
    this.atOnce *= 2;
  }

  private noteFailure(error: unknown): void {
    const message = messageOf(error);
    this.parts.failures.add({ destination: this.destination.name });
    const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** this.failed.times, LONGEST_PAUSE_MS);
    const asked = error instanceof NotTaken ? error.pauseMs : 0;
    this.pausedUntil = performance.now() + Math.max(pauseMs, asked);
    if (message !== this.failed.message)
      this.log.warn(`Events wait to be exported to ${this.destination.address}: ${message}`);
    this.failed = { times: this.failed.times + 1, message };
  }
}
