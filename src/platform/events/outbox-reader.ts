import type { Repository } from 'typeorm';
import type { OutboxEvent } from './outbox.entity';
import { settledPart } from './settled-part';

const READ_AT_ONCE = 256;

/** An event as stored in the outbox. */
export type StoredEvent = Readonly<OutboxEvent>;

/**
 * Queries the transactions that may still add events. A transaction that adds an event holds a
 * `RowExclusiveLock` on the table `outbox` from before it gets a position until it ends. Transactions that
 * only read do not hold this lock. Transactions of other databases are excluded.
 */
const WRITERS = `
  SELECT DISTINCT virtualtransaction AS writer FROM pg_locks
  WHERE locktype = 'relation' AND relation = 'outbox'::regclass AND mode = 'RowExclusiveLock' AND granted
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;

/**
 * Reads the outbox in the order of positions, and misses no event whose transaction commits late. Each export
 * has its own reader, because a reader remembers up to which position the outbox is complete.
 */
export class OutboxReader {
  /** Position up to which no transaction can add an event any more; see `Known.settled`. */
  private settled = 0;
  /** Once all of these transactions have ended, no event up to `position` can be added any more. */
  private awaited: { readonly position: number; readonly writers: ReadonlySet<string> } | undefined;

  constructor(private readonly outbox: Repository<OutboxEvent>) {}

  /**
   * Returns at most 256 events that follow the position. Returns none if no event follows, or if a
   * transaction may still add an earlier event.
   */
  async after(position: number): Promise<StoredEvent[]> {
    await this.lookAtWriters();
    const events = await this.read(position);
    const ready = this.settledOf(events, position);
    const last = events.at(-1);
    if (last === undefined || ready.length === events.length || this.awaited !== undefined) return ready;
    this.awaited = { position: last.position, writers: await this.writers() };
    return ready;
  }

  private settledOf(events: readonly StoredEvent[], after: number): StoredEvent[] {
    const positions = events.map((event) => event.position);
    return events.slice(0, settledPart(positions, { after, settled: this.settled }));
  }

  private read(position: number): Promise<StoredEvent[]> {
    return this.outbox
      .createQueryBuilder('event')
      .where('event.position > :position', { position })
      .orderBy('event.position')
      .limit(READ_AT_ONCE)
      .getMany();
  }

  /** Must run before events are read, so that the read sees all commits of the ended transactions. */
  private async lookAtWriters(): Promise<void> {
    if (this.awaited === undefined) return;
    const { position, writers } = this.awaited;
    const now = writers.size === 0 ? writers : await this.writers();
    if ([...writers].some((writer) => now.has(writer))) return;
    this.settled = position;
    this.awaited = undefined;
  }

  private async writers(): Promise<Set<string>> {
    const rows = await this.outbox.query<{ writer: string }[]>(WRITERS);
    return new Set(rows.map(({ writer }) => writer));
  }
}
