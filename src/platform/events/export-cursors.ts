import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { ChangeFeed } from '../database/feed/change-feed';
import { ExportCursor, type ExportDestination } from './export-cursor.entity';
import { OutboxEvent } from './outbox.entity';
import { OutboxReader } from './outbox-reader';

/**
 * Duration of a lease, longer than the time to send a batch. The holder renews the lease. If the holder has
 * died, another process may claim the cursor before the lease ends.
 */
export const LEASE_SECONDS = 90;

/** Claims a cursor that has no holder, whose lease has ended, or whose holder ($3) does not run any more. */
const CLAIM = `
  UPDATE export_cursors SET holder = $2, lease_until = clock_timestamp() + $4 * interval '1 second', seen_at = now()
  WHERE destination = $1 AND (holder IS NULL OR holder IN ($2, $3) OR lease_until < clock_timestamp())
  RETURNING position`;

/**
 * The cursors of exports, which all gateways share. At any time, only one process holds a cursor, and only
 * this holder may move it.
 */
@Injectable()
export class ExportCursors {
  constructor(
    @InjectRepository(ExportCursor) private readonly cursors: Repository<ExportCursor>,
    @InjectRepository(OutboxEvent) private readonly outbox: Repository<OutboxEvent>,
    private readonly feed: ChangeFeed,
  ) {}

  reader(): OutboxReader {
    return new OutboxReader(this.outbox);
  }

  /**
   * Starts an export at the current end of the outbox, unless it was started before. From then on, all events
   * are stored.
   */
  async begin(destination: ExportDestination): Promise<void> {
    await this.cursors.query(
      `INSERT INTO export_cursors (destination, position) SELECT $1::text, coalesce(max(position), 0) FROM outbox
       ON CONFLICT (destination) DO UPDATE SET seen_at = now()`,
      [destination],
    );
  }

  /**
   * Claims the cursor for this process, or renews the lease of this process.
   * @returns position of the cursor; undefined if another living process holds it
   * @throws while the change feed is down and another process holds the cursor
   */
  async claim(destination: ExportDestination): Promise<number | undefined> {
    const claimed = await this.take(destination, this.feed.gatewayId);
    if (claimed !== undefined) return claimed;
    const holder = (await this.cursors.findOneBy({ destination }))?.holder;
    if (!holder || (await this.feed.isAlive(holder))) return undefined;
    return this.take(destination, holder);
  }

  /** Moves the cursor that this process holds. @returns false if another process holds the cursor by now */
  async advance(destination: ExportDestination, position: number): Promise<boolean> {
    const moved = await this.cursors.update({ destination, holder: this.feed.gatewayId }, { position });
    return moved.affected === 1;
  }

  /** Releases the cursor, so that another process can continue at once. */
  async release(destination: ExportDestination): Promise<void> {
    const mine = { destination, holder: this.feed.gatewayId };
    await this.cursors.update(mine, { holder: null, leaseUntil: null });
  }

  private async take(destination: ExportDestination, from: string): Promise<number | undefined> {
    const parameters = [destination, this.feed.gatewayId, from, LEASE_SECONDS];
    const [[row]] = await this.cursors.query<[{ position: string }[], number]>(CLAIM, parameters);
    return row === undefined ? undefined : Number(row.position);
  }
}
