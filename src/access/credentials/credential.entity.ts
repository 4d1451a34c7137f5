import { Column, CreateDateColumn, Entity, PrimaryGeneratedColumn } from 'typeorm';

/**
 * Time-limited access to one connection. The password is not stored, only its SCRAM verifier. The database
 * refuses all changes of an issued credential except one: it can be revoked, once.
 *
 * The credential of a grant has the id of the grant's review. It is stored with the request and starts with
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

  /** The owner's groups when the credential was issued or requested; null in rows older than this column. */
  @Column('text', { name: 'owner_groups', array: true, nullable: true })
  ownerGroups!: readonly string[] | null;

  /** The credential's review, which has the same id; null: no approval was needed. */
  @Column('uuid', { name: 'review_id', nullable: true })
  reviewId!: string | null;

  /** Reason of the request, in the words of the owner; null where none was given. */
  @Column('text', { nullable: true })
  reason!: string | null;

  /** First column of the SCRAM verifier. All four columns are null while there is no password. */
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
   * When the credential expires, by the clock of the database, which all gateways share; null while an
   * approved credential has not been used.
   */
  @Column('timestamptz', { name: 'expire_at', nullable: true })
  expireAt!: Date | null;

  @Column('timestamptz', { name: 'revoked_at', nullable: true })
  revokedAt!: Date | null;
  /**
   * When webhooks were notified that the owner may no longer use the credential, although it was not revoked;
   * null: there was no such event.
   */
  @Column('timestamptz', { name: 'withheld_at', nullable: true })
  withheldAt!: Date | null;
}
