import { Column, CreateDateColumn, Entity, PrimaryGeneratedColumn } from 'typeorm';

/**
 * Access to one connection for some time. Of its password, only a SCRAM verifier is kept. Once issued, it
 * changes no more, by the database's own word: it can only be revoked, once.
 *
 * One that stands for a grant bears the id of its review. It is there from the request on, begins when
 * it is first used, and may be given another password, which takes the place of the one before.
 */
@Entity('connection_credentials')
export class ConnectionCredential {
  @PrimaryGeneratedColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'org_id' })
  orgId!: string;

  @Column('uuid', { name: 'connection_id' })
  connectionId!: string;

  /** Whose it is: a user's id, or the id of an API key. */
  @Column('text', { name: 'identity_type' })
  identityType!: 'user' | 'machine';

  @Column('uuid', { name: 'user_id' })
  userId!: string;

  /** The groups that its owner was in when it was issued or asked for; null: it is older than this is noted. */
  @Column('text', { name: 'owner_groups', array: true, nullable: true })
  ownerGroups!: readonly string[] | null;

  /** The review that it stands for, which has the same id; null: no approval was needed. */
  @Column('uuid', { name: 'review_id', nullable: true })
  reviewId!: string | null;

  /** Why access is wanted, in the words of who asked; null: they did not say. */
  @Column('text', { nullable: true })
  reason!: string | null;

  /** The verifier; all four are null while it has no password. */
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

  /** When what people approved was first used; null: not yet, or no approval was needed. */
  @Column('timestamptz', { name: 'begun_at', nullable: true })
  begunAt!: Date | null;

  /** By the clock of the database, which all gateways share; null while what people approve has not begun. */
  @Column('timestamptz', { name: 'expire_at', nullable: true })
  expireAt!: Date | null;

  @Column('timestamptz', { name: 'revoked_at', nullable: true })
  revokedAt!: Date | null;
  /** When others were told that its owner may not use it any more, although nobody took it back: once, for good. */
  @Column('timestamptz', { name: 'withheld_at', nullable: true })
  withheldAt!: Date | null;
}
