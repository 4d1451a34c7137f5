import { Column, CreateDateColumn, Entity, PrimaryColumn, UpdateDateColumn } from 'typeorm';
import type { McpPolicy, RecordingMode, RecordingScope } from '../../gate/ports/target-directory';

export type Switch = 'enabled' | 'disabled';

@Entity('connections')
export class Connection {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'org_id' })
  orgId!: string;

  @Column('text')
  name!: string;

  @Column('text')
  type!: string;

  @Column('text')
  subtype!: string;

  @Column('text')
  description!: string;

  /** The encrypted secret; see SecretBox. */
  @Column('bytea')
  secret!: Buffer;

  /** Names of the secret's values, the only part of it that is ever shown. */
  @Column('text', { name: 'secret_names', array: true })
  secretNames!: string[];

  @Column('jsonb', { name: 'connection_tags' })
  tags!: Record<string, string>;

  @Column('text', { array: true })
  attributes!: string[];

  @Column('text', { name: 'access_groups', array: true })
  accessGroups!: string[];

  /**
   * Groups whose members may open their own requests in an emergency; see
   * approvals/reviews/machine/emergency.ts.
   */
  @Column('text', { name: 'emergency_access_groups', array: true })
  emergencyAccessGroups!: string[];

  @Column('text', { name: 'access_mode_connect' })
  accessModeConnect!: Switch;

  @Column('text', { name: 'access_mode_exec' })
  accessModeExec!: Switch;

  @Column('text', { name: 'access_mode_runbooks' })
  accessModeRunbooks!: Switch;

  @Column('text', { name: 'access_schema' })
  accessSchema!: Switch;

  @Column('text', { name: 'resource_name' })
  resourceName!: string;

  @Column('text')
  recording!: RecordingScope;

  /** When an event of a session counts as durable; null: the setting of the gateway applies. */
  @Column('text', { name: 'recording_mode', nullable: true })
  recordingMode!: RecordingMode | null;

  /** Days for which the sessions are kept; null: forever. */
  @Column('integer', { name: 'retention_days', nullable: true })
  retentionDays!: number | null;

  /**
   * Whether results for clients of the target's own protocol are recorded row by row even if no guardrail
   * screens them.
   */
  @Column('boolean', { name: 'record_results' })
  recordResults!: boolean;

  /** Policy of what MCP clients may use; null if connections of this kind have no policy. */
  @Column('jsonb', { name: 'mcp_policy', nullable: true })
  mcpPolicy!: McpPolicy | null;

  /** Name of the catalog entry that the connection was made from. */
  @Column('text', { nullable: true })
  catalog!: string | null;

  @Column('text', { name: 'managed_by', nullable: true })
  managedBy!: string | null;

  /** Increases with every change; see platform/http/routes/versions. */
  @Column('integer')
  version!: number;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at' })
  createdAt!: Date;

  @UpdateDateColumn({ type: 'timestamptz', name: 'updated_at' })
  updatedAt!: Date;
}
