import { Column, Entity, PrimaryColumn } from 'typeorm';
import { bigint } from '../database/bigint';

/** Destinations of exports; one cursor each. */
export const EXPORT_DESTINATIONS = ['otlp', 'syslog'] as const;
export type ExportDestination = (typeof EXPORT_DESTINATIONS)[number];

/** Position of an export. While there is one, all events are stored. */
@Entity('export_cursors')
export class ExportCursor {
  @PrimaryColumn('text')
  destination!: ExportDestination;

  /** Position in the outbox of the last event that the destination has. */
  @Column('bigint', { transformer: bigint })
  position!: number;

  /** The gateway process that exports, until the end of the lease. */
  @Column('uuid', { nullable: true })
  holder!: string | null;

  @Column('timestamptz', { name: 'lease_until', nullable: true })
  leaseUntil!: Date | null;

  /**
   * Last heartbeat of a gateway that is configured to export. Events wait for a cursor that was seen within
   * `WEBHOOK_RETENTION_DAYS`.
   */
  @Column('timestamptz', { name: 'seen_at' })
  seenAt!: Date;
}
