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

  /** The maker. The download is in their name, and needs their rights. */
  @Column('text', { name: 'identity_type' })
  identityType!: 'user' | 'machine';

  @Column('uuid', { name: 'user_id' })
  userId!: string;

  /** The query of `GET /sessions/{id}`. */
  @Column('jsonb')
  options!: Record<string, unknown>;

  /** By the clock of the database, because gateways' clocks differ. */
  @Column('timestamptz', { name: 'expire_at' })
  expireAt!: Date;
}
