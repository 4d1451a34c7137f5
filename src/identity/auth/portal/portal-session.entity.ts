import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A user's session at the portal. */
@Entity('portal_sessions')
export class PortalSession {
  @Column('uuid', { name: 'org_id' })
  orgId!: string;

  @PrimaryColumn('uuid')
  id!: string;

  /** SHA-256 of the cookie's value. */
  @Column('bytea', { name: 'cookie_hash' })
  cookieHash!: Buffer;

  @Column('uuid', { name: 'user_id' })
  userId!: string;

  /** The identity provider's tokens, sealed; see SecretBox. */
  @Column('bytea')
  secret!: Buffer;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;

  /** Time of the last use, up to `TOUCHED_EVERY_MS` out of date. */
  @Column('timestamptz', { name: 'used_at' })
  usedAt!: Date;

  /** Time at which the access token must be renewed. */
  @Column('timestamptz', { name: 'renew_at' })
  renewAt!: Date;

  @Column('timestamptz', { name: 'expires_at' })
  expiresAt!: Date;

  /** Random id of the lease under which tokens are renewed; null without a lease. */
  @Column('uuid', { nullable: true, select: false })
  lease!: string | null;

  @Column('timestamptz', { name: 'lease_until', nullable: true, select: false })
  leaseUntil!: Date | null;
}
