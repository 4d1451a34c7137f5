import { randomUUID } from 'node:crypto';
import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { CallLog, type LoggedCall } from '../../gate/ports/call-log';
import { Meter } from '../../platform/metrics/meter';
import { SessionCall } from './session-call.entity';

const FLUSH_EVERY_MS = 500;
/** Maximum rows of one INSERT statement. */
const BATCH = 1_000;
/** Maximum calls in memory while the database is unreachable. Each needs about half a kilobyte. */
const MAX_WAITING = 20_000;
/** Maximum length in UTF-16 code units. Longer names are cut. */
const MAX_METHOD = 128;
const MAX_NAME = 1_024;

const COLUMNS = [
  'orgId',
  'sessionId',
  'at',
  'id',
  'method',
  'name',
  'verdict',
  'reviewId',
  'durationMs',
  'resultBytes',
] as const;

/** Stores a batch. Repeating it after a lost response stores no call twice. */
const STORE = `
  INSERT INTO session_calls (org_id, session_id, at, id, method, name, verdict, review_id, duration_ms, result_bytes)
  SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::timestamptz[], $4::uuid[], $5::text[], $6::text[], $7::text[], $8::uuid[],
    $9::bigint[], $10::bigint[])
  ON CONFLICT ON CONSTRAINT session_calls_pk DO NOTHING`;

/**
 * Stores calls in batches, twice a second and at shutdown. A gateway that is killed loses the calls of the
 * last half second, but its recordings have them. While the database is unreachable, calls wait in memory;
 * above 20 000 calls, the oldest are dropped.
 */
@Injectable()
export class StoredCallLog extends CallLog implements OnApplicationShutdown {
  private readonly log = new Logger(StoredCallLog.name);
  private waiting: SessionCall[] = [];
  private dropped = 0;
  private timer: NodeJS.Timeout | undefined;
  private isStopping = false;
  private flushing: Promise<void> = Promise.resolve();

  private readonly verdicts;
  private readonly durations;

  constructor(
    @InjectRepository(SessionCall) private readonly calls: Repository<SessionCall>,
    meter: Meter,
  ) {
    super();
    this.verdicts = meter.counter('gateway_mcp_requests_total');
    this.durations = meter.distribution('gateway_mcp_request_duration_seconds');
  }

  note(call: LoggedCall): void {
    const method = call.method as 'tools/call';
    this.verdicts.add({ method, verdict: call.verdict });
    this.durations.observe({ method }, call.durationMs / 1_000);
    this.waiting.push({
      ...call,
      id: randomUUID(),
      method: storable(call.method, MAX_METHOD),
      name: call.name === null ? null : storable(call.name, MAX_NAME),
      durationMs: wholeNumber(call.durationMs),
      resultBytes: wholeNumber(call.resultBytes),
    });
    if (this.waiting.length > MAX_WAITING) {
      this.waiting.shift();
      this.dropped += 1;
    }
    if (this.waiting.length >= BATCH) void this.flush();
    else this.flushSoon();
  }

  /** Resolves when all calls noted so far are stored, or storing them has failed. Never rejects. */
  async flush(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.flushing = this.flushing.then(() => this.write());
    await this.flushing;
  }

  async onApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    await this.flush();
  }

  private flushSoon(): void {
    if (this.isStopping) return;
    this.timer ??= setTimeout(() => void this.flush(), FLUSH_EVERY_MS).unref();
  }

  private async write(): Promise<void> {
    while (this.waiting.length > 0) {
      const batch = this.waiting.splice(0, BATCH);
      try {
        await this.calls.query(
          STORE,
          COLUMNS.map((column) => batch.map((call) => call[column])),
        );
      } catch (error) {
        this.waiting = [...batch, ...this.waiting];
        this.log.warn({ err: error }, 'The overview of calls could not be stored and will be retried');
        this.flushSoon();
        return;
      }
    }
    if (this.dropped === 0) return;
    this.log.warn(`${this.dropped} calls are missing in the overview, because the database was away`);
    this.dropped = 0;
  }
}

/** Cuts a text and replaces NUL and lone surrogates, which PostgreSQL cannot store. */
function storable(text: string, max: number): string {
  const whole = text.length <= max ? text : `${text.slice(0, max)}…`;
  return whole.toWellFormed().replaceAll('\0', '\u{FFFD}');
}

function wholeNumber(value: number): number {
  return Number.isFinite(value) ? Math.max(Math.round(value), 0) : 0;
}
