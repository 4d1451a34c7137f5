import { Column, Entity, PrimaryColumn } from 'typeorm';
import { bigint } from '../database/bigint';
import type { DomainEventType } from './event';

/** Something that happened, and that a subscription wanted to be told. It is never changed. */
@Entity('outbox')
export class OutboxEvent {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'org_id' })
  orgId!: string;

  /** Rises with each event; of two in one transaction after the other, the later one has the larger. */
  @Column('bigint', { transformer: bigint })
  position!: number;

  /** `webhook.test` is what an admin sends to see whether it arrives. */
  @Column('text')
  type!: DomainEventType | 'webhook.test';

  /** What it belongs to: a session, else a review, else a credential. */
  @Column('uuid')
  subject!: string;

  @Column('jsonb')
  data!: Record<string, unknown>;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;
}
