import { Column, Entity, PrimaryColumn } from 'typeorm';
import { bigint } from '../database/bigint';
import type { DomainEventType } from './event';

/** An event that a subscription or an export wanted. Rows are never changed. */
@Entity('outbox')
export class OutboxEvent {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'org_id' })
  orgId!: string;

  /**
   * Increases with each event; of two events in consecutive transactions, the
   * later one has the larger position.
   */
  @Column('bigint', { transformer: bigint })
  position!: number;

  /**
   * Admins send `webhook.test` to check a webhook. `audit.recorded` stands for
   * a line of the audit log, by its number.
   */
  @Column('text')
  type!: DomainEventType | 'audit.recorded' | 'webhook.test';

  /**
   * Id of a session, otherwise of a review, otherwise of a credential; of a connection for its tools; of the
   * organization for its audit log.
   */
  @Column('uuid')
  subject!: string;

  @Column('jsonb')
  data!: Record<string, unknown>;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;
}
