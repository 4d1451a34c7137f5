import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { ChangeFeed } from '../database/feed/change-feed';
import { ExportCursor, type ExportDestination } from './export-cursor.entity';
import { OutboxEvent } from './outbox.entity';
import { OutboxReader } from './outbox-reader';

/** Longer than sending one batch may take. The holder renews it; one that was killed is noticed earlier. */
export const LEASE_SECONDS = 90;

/** Claims a cursor without a holder, or whose lease has ended, or whose holder is gone: $3. */
const CLAIM = `
  UPDATE export_cursors SET holder = $2, lease_until = clock_timestamp() + $4 * interval '1 second', seen_at = now()
  WHERE destination = $1 AND (holder IS NULL OR holder IN ($2, $3) OR lease_until < clock_timestamp())
  RETURNING position`;

/**
 * The cursors of exports, which all gateways share: one process at a time
 * holds each, and only the holder may move it.
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
   * Begins the export where the outbox ends now, unless it has begun. From then on, all events are stored.
   */
  async begin(destination: ExportDestination): Promise<void> {
    await this.cursors.query(
      `INSERT INTO export_cursors (destination, position) SELECT $1::text, coalesce(max(position), 0) FROM outbox
       ON CONFLICT (destination) DO UPDATE SET seen_at = now()`,
      [destination],
    );
  }

  /**
   * Takes the cursor, or renews the lease of this process.
   * @returns its position; undefined: a living process has it
   * @throws while the change feed is down and another process has it
   */
  async claim(destination: ExportDestination): Promise<number | undefined> {
    const claimed = await this.take(destination, this.feed.gatewayId);
    if (claimed !== undefined) return claimed;
    const holder = (await this.cursors.findOneBy({ destination }))?.holder;
    if (!holder || (await this.feed.isAlive(holder))) return undefined;
    return this.take(destination, holder);
  }

  /** Moves the cursor of this process. @returns false if another process has it by now */
  async advance(destination: ExportDestination, position: number): Promise<boolean> {
    const moved = await this.cursors.update({ destination, holder: this.feed.gatewayId }, { position });
    return moved.affected === 1;
  }

  /** Another process may continue at once. */
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
