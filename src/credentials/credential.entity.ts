import { Column, CreateDateColumn, Entity, PrimaryGeneratedColumn } from 'typeorm';

/**
 * Leave to connect to one connection for some time. Of its password, only a SCRAM verifier is kept. Once issued, it
 * changes no more, by the database's own word: it can only be revoked, once.
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

  @Column('integer')
  iterations!: number;

  @Column('bytea')
  salt!: Buffer;

  @Column('bytea', { name: 'stored_key' })
  storedKey!: Buffer;

  @Column('bytea', { name: 'server_key' })
  serverKey!: Buffer;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at' })
  createdAt!: Date;

  /** By the clock of the database, which all gateways share. */
  @Column('timestamptz', { name: 'expire_at' })
  expireAt!: Date;

  @Column('timestamptz', { name: 'revoked_at', nullable: true })
  revokedAt!: Date | null;
}
