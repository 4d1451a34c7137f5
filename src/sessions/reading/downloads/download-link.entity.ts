import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * Permission to download one recording once, without a credential. Only the SHA-256 of its token is stored.
 */
@Entity('download_links')
export class DownloadLink {
  @Column('uuid', { name: 'org_id' })
  orgId!: string;

  @PrimaryColumn('bytea', { name: 'token_hash' })
  tokenHash!: Buffer;

  @Column('uuid', { name: 'session_id' })
  sessionId!: string;

  /**
   * Identity type of the principal who made the link. A download has the name and rights of this principal.
   */
  @Column('text', { name: 'identity_type' })
  identityType!: 'user' | 'machine';

  @Column('uuid', { name: 'user_id' })
  userId!: string;

  /** Parameters for `GET /sessions/{id}` that select the file. */
  @Column('jsonb')
  options!: Record<string, unknown>;

  /** Time of expiry by the clock of the database, because the clocks of gateways differ. */
  @Column('timestamptz', { name: 'expire_at' })
  expireAt!: Date;
}
