import { Column, CreateDateColumn, Entity, PrimaryGeneratedColumn } from 'typeorm';

/**
 * Access to one connection for some time. Of its password, only a SCRAM verifier is stored. An issued
 * credential is immutable, enforced by the database: it can only be revoked, once.
 *
 * The credential of a grant has the id of its review. It exists from the request on, starts with
 * its first use, and its password may be replaced.
 */
@Entity('connection_credentials')
export class ConnectionCredential {
  @PrimaryGeneratedColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'org_id' })
  orgId!: string;

  @Column('uuid', { name: 'connection_id' })
  connectionId!: string;

  /** Type of the owner: a user, or a machine (an API key). */
  @Column('text', { name: 'identity_type' })
  identityType!: 'user' | 'machine';

  @Column('uuid', { name: 'user_id' })
  userId!: string;

  /** The owner's groups when it was issued or requested; null in rows older than this column. */
  @Column('text', { name: 'owner_groups', array: true, nullable: true })
  ownerGroups!: readonly string[] | null;

  /** Its review, which has the same id; null: no approval was needed. */
  @Column('uuid', { name: 'review_id', nullable: true })
  reviewId!: string | null;

  /** Reason of the request, in the words of the owner; null where none was given. */
  @Column('text', { nullable: true })
  reason!: string | null;

  /** The verifier; all four columns are null while it has no password. */
  @Column('integer', { nullable: true })
  iterations!: number | null;

  @Column('bytea', { nullable: true })
  salt!: Buffer | null;

  @Column('bytea', { name: 'stored_key', nullable: true })
  storedKey!: Buffer | null;

  @Column('bytea', { name: 'server_key', nullable: true })
  serverKey!: Buffer | null;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at' })
  createdAt!: Date;

  /** When an approved credential was first used; null: not yet, or no approval was needed. */
  @Column('timestamptz', { name: 'begun_at', nullable: true })
  begunAt!: Date | null;

  /**
   * By the clock of the database, which all gateways share; null while an
   * approved credential has not started.
   */
  @Column('timestamptz', { name: 'expire_at', nullable: true })
  expireAt!: Date | null;

  @Column('timestamptz', { name: 'revoked_at', nullable: true })
  revokedAt!: Date | null;
  /**
   * When subscribers were notified that the owner may not use it any more, although it was not revoked: once.
   */
  @Column('timestamptz', { name: 'withheld_at', nullable: true })
  withheldAt!: Date | null;
}
