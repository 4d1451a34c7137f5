import { Column, Entity, PrimaryColumn } from 'typeorm';
import { bigint } from '../database/bigint';

/** Destinations of exports. Each has one cursor. */
export const EXPORT_DESTINATIONS = ['otlp', 'syslog'] as const;
export type ExportDestination = (typeof EXPORT_DESTINATIONS)[number];

/** Position of an export. While a cursor exists, all events are stored. */
@Entity('export_cursors')
export class ExportCursor {
  @PrimaryColumn('text')
  destination!: ExportDestination;

  /** Position in the outbox of the last event that the destination has received. */
  @Column('bigint', { transformer: bigint })
  position!: number;

  /** Id of the gateway process that may export until the lease ends; null if no process holds the cursor. */
  @Column('uuid', { nullable: true })
  holder!: string | null;

  @Column('timestamptz', { name: 'lease_until', nullable: true })
  leaseUntil!: Date | null;

  /**
   * Time of the last heartbeat of a gateway that is configured to export. Events that are not exported yet
   * are kept until `WEBHOOK_RETENTION_DAYS` after this time.
   */
  @Column('timestamptz', { name: 'seen_at' })
  seenAt!: Date;
}
