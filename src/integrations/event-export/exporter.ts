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
/** For one batch, with the look-up of the name. Much shorter than the lease. */
const SENT_WITHIN_MS = 30_000;
const RENEW_EVERY_MS = (LEASE_SECONDS * 1_000) / 3;
/** Interval at which a process asks for a cursor that another one has. */
const ASK_AGAIN_MS = 5_000;
/** After a failure, doubled with each that follows. */
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;
/** At shutdown, how long a batch may take. */
const GRACE_MS = 3_000;

export interface ExporterParts {
  readonly cursors: ExportCursors;
  readonly source: EventSource;
  readonly sent: Counter<LabelsOf<'gateway_export_events_total'>>;
  readonly failures: Counter<LabelsOf<'gateway_export_failures_total'>>;
}

/**
 * Sends the outbox to one destination: one batch at a time, in order, each until it is taken. All gateways
 * have one, and the one that holds the cursor works. A receiver that does not take anything makes the cursor
 * wait, and nothing else.
 */
export class Exporter {
  private readonly log = new Logger(Exporter.name);
  private readonly reader;
  private readonly stopping = new AbortController();
  /** Position and renewal time of the cursor, while this process holds it. */
  private held: { position: number; readonly renewAt: number } | undefined;
  /** Failures since something was taken, and what the last one was. */
  private failed = { times: 0, message: '' };
  private pausedUntil = 0;
  /** Fewer events at once after the receiver did not take so many. */
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

  /** A batch that is being sent gets a moment; then another process may continue. */
  async stop(): Promise<void> {
    if (!(await this.task.stop(GRACE_MS))) this.stopping.abort(new Error('the gateway is stopping'));
    await this.task.stop();
    if (this.held !== undefined) await this.parts.cursors.release(this.destination.name);
  }

  /** Until nothing is left, or something fails. */
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

  /** The cursor; undefined if another process has it. */
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
    // Counted from before the statement, so that the lease is never believed to be longer than it is.
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
