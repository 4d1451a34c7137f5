import { Column, Entity, PrimaryColumn } from 'typeorm';
import { bigint } from '../database/bigint';
import type { DomainEventType } from '../events/event';

export const DELIVERY_STATES = ['pending', 'delivered', 'dead'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** One event on its way to one subscription. Queued by the database, in the transaction of the event. */
@Entity('webhook_deliveries')
export class WebhookDelivery {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'org_id' })
  orgId!: string;

  @Column('uuid', { name: 'webhook_id' })
  webhookId!: string;

  @Column('uuid', { name: 'event_id' })
  eventId!: string;

  @Column('text', { name: 'event_type' })
  eventType!: DomainEventType | 'webhook.test';

  /** What the event belongs to; deliveries of one webhook and subject are a queue. */
  @Column('uuid')
  subject!: string;

  /** Place in its queue. */
  @Column('bigint', { transformer: bigint })
  position!: number;

  @Column('text')
  state!: DeliveryState;

  /** How often it was begun to send it, since it was queued or replayed. */
  @Column('integer')
  attempts!: number;

  /** When it was queued or replayed: what waited behind others for as long as all attempts would take gets only one. */
  @Column('timestamptz', { name: 'queued_at' })
  queuedAt!: Date;

  /** When it is due; null: not before the one ahead of it is done. While it is sent: when others may think it is not. */
  @Column('timestamptz', { name: 'next_attempt_at', nullable: true })
  nextAttemptAt!: Date | null;

  /** Of whoever sends it just now. */
  @Column('uuid', { nullable: true })
  lease!: string | null;

  @Column('timestamptz', { name: 'last_attempt_at', nullable: true })
  lastAttemptAt!: Date | null;

  /** HTTP status of the last answer; null: there was none. */
  @Column('integer', { name: 'last_status', nullable: true })
  lastStatus!: number | null;

  @Column('text', { name: 'last_error', nullable: true })
  lastError!: string | null;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;

  @Column('timestamptz', { name: 'finished_at', nullable: true })
  finishedAt!: Date | null;
}
