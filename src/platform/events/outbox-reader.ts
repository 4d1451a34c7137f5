import type { Repository } from 'typeorm';
import type { OutboxEvent } from './outbox.entity';
import { settledPart } from './settled-part';

const READ_AT_ONCE = 256;

/** An event as the outbox has it. */
export type StoredEvent = Readonly<OutboxEvent>;

/**
 * Transactions that may still add events. Each holds this lock on the table from before it takes a position
 * until its end; a transaction of another database, or one that only reads, does not.
 */
const WRITERS = `
  SELECT DISTINCT virtualtransaction AS writer FROM pg_locks
  WHERE locktype = 'relation' AND relation = 'outbox'::regclass AND mode = 'RowExclusiveLock' AND granted
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;

/**
 * Reads the outbox in the order of positions, without missing an event whose transaction is committed late.
 * Remembers what it has found out: one reader for each export.
 */
export class OutboxReader {
  /** See `Known.settled`. */
  private settled = 0;
  /** Once none of these transactions is left, all events up to `position` are there. */
  private awaited: { readonly position: number; readonly writers: ReadonlySet<string> } | undefined;

  constructor(private readonly outbox: Repository<OutboxEvent>) {}

  /**
   * The next events after that position, at most 256. None: there is none, or an earlier one may still come.
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

  /** Comes before the events are read: what those transactions have committed is seen then. */
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
