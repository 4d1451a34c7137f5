import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * A tool that the server of a connection has listed. The row stays as long as the connection, because a tool
 * may disappear and return changed.
 */
@Entity('mcp_tools')
export class McpTool {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'org_id' })
  orgId!: string;

  @Column('uuid', { name: 'connection_id' })
  connectionId!: string;

  @Column('text')
  name!: string;

  /** Canonical JSON of the tool in the last list. */
  @Column('text')
  listed!: string;

  /** SHA-256 of `listed`, in hex. */
  @Column('text')
  fingerprint!: string;

  /** Canonical JSON of the accepted definition; null if none was accepted. */
  @Column('text', { nullable: true })
  accepted!: string | null;

  @Column('text', { name: 'accepted_fingerprint', nullable: true })
  acceptedFingerprint!: string | null;

  @Column('timestamptz', { name: 'accepted_at', nullable: true })
  acceptedAt!: Date | null;

  /** User who accepted the tool; null if the policy of the connection did. */
  @Column('text', { name: 'accepted_by', nullable: true })
  acceptedBy!: string | null;

  /** The fingerprint in the last webhook event about the tool, so that no second event reports the change. */
  @Column('text', { name: 'told_fingerprint', nullable: true })
  toldFingerprint!: string | null;

  @Column('timestamptz', { name: 'first_listed_at' })
  firstListedAt!: Date;

  /** When `fingerprint` changed last. */
  @Column('timestamptz', { name: 'changed_at' })
  changedAt!: Date;
}
