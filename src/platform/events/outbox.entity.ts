import { Column, Entity, PrimaryColumn } from 'typeorm';
import { bigint } from '../database/bigint';
import type { DomainEventType } from './event';

/** An event that a subscription or an export needs. Rows are never changed. */
@Entity('outbox')
export class OutboxEvent {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'org_id' })
  orgId!: string;

  /**
   * Increases with each event. If one transaction starts after another one has committed, its events have the
   * larger positions.
   */
  @Column('bigint', { transformer: bigint })
  position!: number;

  /**
   * Type of the event. Admins send `webhook.test` to check a webhook. `audit.recorded` refers to a line of
   * the audit log by its number.
   */
  @Column('text')
  type!: DomainEventType | 'audit.recorded' | 'webhook.test';

  /**
   * Id of the subject: the session if the event has one, otherwise the review, otherwise the credential. For
   * tools, it is the connection; for the audit log, the organization.
   */
  @Column('uuid')
  subject!: string;

  @Column('jsonb')
  data!: Record<string, unknown>;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;
}
