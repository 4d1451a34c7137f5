import { Column, Entity, PrimaryColumn } from 'typeorm';
import { bigint } from '../database/bigint';
import type { DomainEventType } from './event';

/** An event that at least one subscription wanted. Rows are never changed. */
@Entity('outbox')
export class OutboxEvent {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'org_id' })
  orgId!: string;

  /** Increases with each event; of two events in consecutive transactions, the later one has the larger position. */
  @Column('bigint', { transformer: bigint })
  position!: number;

  /** Admins send `webhook.test` to check a webhook. */
  @Column('text')
  type!: DomainEventType | 'webhook.test';

  /** Id of a session, otherwise of a review, otherwise of a credential; of a connection for its tools. */
  @Column('uuid')
  subject!: string;

  @Column('jsonb')
  data!: Record<string, unknown>;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;
}
