import { Column, CreateDateColumn, Entity, PrimaryGeneratedColumn, UpdateDateColumn } from 'typeorm';
import type { DomainEventType } from '../events/event';
import type { WebhookFormat } from './message';

/** A subscription: where events are sent to, and which. */
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

  /** While it is not, it is told of nothing new, and what waits goes on waiting. */
  @Column('boolean')
  enabled!: boolean;

  /** Why the gateway itself disabled it; null: it did not. */
  @Column('text', { name: 'disabled_reason', nullable: true })
  disabledReason!: string | null;

  /** What messages are signed with, sealed (`WebhookSecrets`). */
  @Column('bytea')
  secret!: Buffer;

  /** Grows with every change; see http/versions. */
  @Column('integer')
  version!: number;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at' })
  createdAt!: Date;

  @UpdateDateColumn({ type: 'timestamptz', name: 'updated_at' })
  updatedAt!: Date;
}
