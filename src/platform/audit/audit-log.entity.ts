import { Column, Entity, PrimaryColumn } from 'typeorm';
import { bigint } from '../database/bigint';

export const OUTCOMES = ['success', 'denied', 'failed'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** A field that a change modified. Sensitive values are `[redacted]`. */
export interface FieldChange {
  field: string;
  before: unknown;
  after: unknown;
}

/**
 * A line of the audit log. Append-only, enforced by the database; linked to the previous line by its hash.
 */
@Entity('audit_log')
export class AuditLine {
  @PrimaryColumn('uuid', { name: 'org_id' })
  orgId!: string;

  /** Numbered from 1 in each organization, without gaps. */
  @PrimaryColumn('bigint', { transformer: bigint })
  seq!: number;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;

  @Column('text', { name: 'actor_id' })
  actorId!: string;

  @Column('text', { name: 'actor_email' })
  actorEmail!: string;

  @Column('text', { name: 'actor_type' })
  actorType!: 'user' | 'machine';

  @Column('text')
  action!: string;

  @Column('text', { name: 'resource_type' })
  resourceType!: string;

  @Column('text', { name: 'resource_id' })
  resourceId!: string;

  @Column('text')
  outcome!: Outcome;

  @Column('integer')
  status!: number;

  @Column('text', { name: 'client_address' })
  clientAddress!: string;

  @Column('text', { name: 'request_id' })
  requestId!: string;

  @Column('jsonb')
  changes!: FieldChange[];

  @Column('bytea')
  previous!: Buffer;

  @Column('bytea')
  hash!: Buffer;
}

/** A line without its position in the chain, which is determined when the line is written. */
export type NewLine = Omit<AuditLine, 'seq' | 'createdAt' | 'previous' | 'hash'>;
