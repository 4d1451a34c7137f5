import { Column, Entity, PrimaryColumn } from 'typeorm';
import { bigint } from '../../platform/database/bigint';
import type { DomainEventType } from '../../platform/events/event';

export const DELIVERY_STATES = ['pending', 'delivered', 'dead'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** The delivery of one event to one webhook. The database queues it in the transaction of the event. */
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

  /**
   * Id of the session, review or credential that the event is about. Each webhook has one queue for each
   * subject.
   */
  @Column('uuid')
  subject!: string;

  /** Position of the delivery in its queue. */
  @Column('bigint', { transformer: bigint })
  position!: number;

  @Column('text')
  state!: DeliveryState;

  /** Number of attempts that began since the delivery was queued or replayed. */
  @Column('integer')
  attempts!: number;

  /**
   * Time at which the delivery was queued or replayed. A delivery that waited in its queue for longer than
   * all attempts take gets only one attempt.
   */
  @Column('timestamptz', { name: 'queued_at' })
  queuedAt!: Date;

  /**
   * Time at which the delivery is due; null while an earlier delivery of its queue is pending.
   * During an attempt, it is the end of the lease.
   */
  @Column('timestamptz', { name: 'next_attempt_at', nullable: true })
  nextAttemptAt!: Date | null;

  /** Lease of the gateway that is sending the delivery. */
  @Column('uuid', { nullable: true })
  lease!: string | null;

  @Column('timestamptz', { name: 'last_attempt_at', nullable: true })
  lastAttemptAt!: Date | null;

  /** HTTP status of the last answer; null where there was none. */
  @Column('integer', { name: 'last_status', nullable: true })
  lastStatus!: number | null;

  @Column('text', { name: 'last_error', nullable: true })
  lastError!: string | null;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;

  @Column('timestamptz', { name: 'finished_at', nullable: true })
  finishedAt!: Date | null;
}
