import { Column, CreateDateColumn, Entity, PrimaryGeneratedColumn } from 'typeorm';

/**
 * A token with which an identity provider provisions people. Only its SHA-256 and its first characters are
 * stored.
 */
@Entity('scim_tokens')
export class ScimToken {
  @PrimaryGeneratedColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'org_id' })
  orgId!: string;

  @Column('text')
  name!: string;

  /** First characters of the token, by which people recognize it. */
  @Column('text')
  prefix!: string;

  @Column('bytea', { name: 'token_hash' })
  tokenHash!: Buffer;

  /** Subject of the admin who created the token. */
  @Column('text', { name: 'created_by' })
  createdBy!: string;

  @Column('timestamptz', { name: 'expires_at' })
  expiresAt!: Date;

  @Column('timestamptz', { name: 'revoked_at', nullable: true })
  revokedAt!: Date | null;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at' })
  createdAt!: Date;
}
