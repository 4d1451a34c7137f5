import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Leave to fetch one recording, once, without a credential. Its token is kept as SHA-256 only. */
@Entity('download_links')
export class DownloadLink {
  @Column('uuid', { name: 'org_id' })
  orgId!: string;

  @PrimaryColumn('bytea', { name: 'token_hash' })
  tokenHash!: Buffer;

  @Column('uuid', { name: 'session_id' })
  sessionId!: string;

  /** Who made it; the download is in their name, and needs their rights. */
  @Column('text', { name: 'identity_type' })
  identityType!: 'user' | 'machine';

  @Column('uuid', { name: 'user_id' })
  userId!: string;

  /** As the query of `GET /sessions/{id}` would say it. */
  @Column('jsonb')
  options!: Record<string, unknown>;

  /** By the clock of the database, which all gateways share. */
  @Column('timestamptz', { name: 'expire_at' })
  expireAt!: Date;
}
