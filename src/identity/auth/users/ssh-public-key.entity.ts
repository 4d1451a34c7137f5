import { Column, CreateDateColumn, Entity, PrimaryGeneratedColumn } from 'typeorm';

/**
 * A public key by which a person signs in over SSH. The database has each key once, so a key names one
 * person. It is deleted when it is removed, or with its person.
 */
@Entity('ssh_public_keys')
export class SshPublicKeyRow {
  @PrimaryGeneratedColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'org_id' })
  orgId!: string;

  @Column('uuid', { name: 'user_id' })
  userId!: string;

  /** The person's own name for the key. */
  @Column('text')
  name!: string;

  /** The key in the wire format (RFC 4253, section 6.6). */
  @Column('bytea', { name: 'public_key' })
  publicKey!: Buffer;

  /** SHA-256 of the key, by which it is found: its fingerprint. */
  @Column('bytea')
  digest!: Buffer;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at' })
  createdAt!: Date;

  /** When the key expires; null: never. */
  @Column('timestamptz', { name: 'expires_at', nullable: true })
  expiresAt!: Date | null;

  /** When a person last signed in or opened a session with the key, to the minute; null: never. */
  @Column('timestamptz', { name: 'last_used_at', nullable: true })
  lastUsedAt!: Date | null;
}
