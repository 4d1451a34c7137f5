import { Column, CreateDateColumn, Entity, PrimaryGeneratedColumn, UpdateDateColumn } from 'typeorm';
import type { DomainEventType } from '../../platform/events/event';
import type { WebhookFormat } from './message';

/** A subscription to events: which events, and the endpoint they are sent to. */
@Entity('webhooks')
export class Webhook {
  @PrimaryGeneratedColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'org_id' })
  orgId!: string;

  @Column('text')
  url!: string;

  @Column('text')
  description!: string;

  @Column('text', { array: true })
  events!: DomainEventType[];

  @Column('text')
  format!: WebhookFormat;

  /** While false, no new events are queued, and pending deliveries stay pending. */
  @Column('boolean')
  enabled!: boolean;

  /** Why the gateway disabled the webhook; null where it did not. */
  @Column('text', { name: 'disabled_reason', nullable: true })
  disabledReason!: string | null;

  /** Signing secrets, sealed (`WebhookSecrets`). */
  @Column('bytea')
  secret!: Buffer;

  /** Increases with every change; see http/versions. */
  @Column('integer')
  version!: number;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at' })
  createdAt!: Date;

  @UpdateDateColumn({ type: 'timestamptz', name: 'updated_at' })
  updatedAt!: Date;
}
