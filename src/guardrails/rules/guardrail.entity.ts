import {
  Column,
  CreateDateColumn,
  Entity,
  PrimaryColumn,
  PrimaryGeneratedColumn,
  UpdateDateColumn,
} from 'typeorm';
import { bigint } from '../../platform/database/bigint';
import type { RuleSet } from '../entries/rule-entry';

@Entity('guardrail_rules')
export class GuardrailRule {
  @PrimaryGeneratedColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'org_id' })
  orgId!: string;

  @Column('text')
  name!: string;

  @Column('text')
  description!: string;

  @Column('jsonb')
  input!: RuleSet;

  @Column('jsonb')
  output!: RuleSet;

  @Column('text', { array: true })
  attributes!: string[];

  @Column('text', { name: 'managed_by', nullable: true })
  managedBy!: string | null;

  /** Grows with every change; see http/versions. */
  @Column('integer')
  version!: number;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at' })
  createdAt!: Date;

  @UpdateDateColumn({ type: 'timestamptz', name: 'updated_at' })
  updatedAt!: Date;
}

/** A rule that is bound to a connection by id. */
@Entity('guardrail_connections')
export class GuardrailConnection {
  @Column('uuid', { name: 'org_id' })
  orgId!: string;

  @PrimaryColumn('uuid', { name: 'rule_id' })
  ruleId!: string;

  @PrimaryColumn('uuid', { name: 'connection_id' })
  connectionId!: string;
}

/** Counters of a rule, summed over all gateways, at most a second old. */
@Entity('guardrail_stats')
export class GuardrailStats {
  @Column('uuid', { name: 'org_id' })
  orgId!: string;

  @PrimaryColumn('uuid', { name: 'rule_id' })
  ruleId!: string;

  @Column('bigint', { transformer: bigint })
  checked!: number;

  @Column('bigint', { transformer: bigint })
  hit!: number;

  @Column('timestamptz', { name: 'last_hit', nullable: true })
  lastHit!: Date | null;
}
