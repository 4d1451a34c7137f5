import { Column, CreateDateColumn, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** A credential of a machine. The key itself is never stored: only its SHA-256 and its first characters. */
@Entity('api_keys')
export class ApiKey {
  @PrimaryGeneratedColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'org_id' })
  orgId!: string;

  @Column('text')
  name!: string;

  /** First characters of the key, by which people recognize it. */
  @Column('text')
  prefix!: string;

  @Column('bytea', { name: 'key_hash' })
  keyHash!: Buffer;

  @Column('text', { array: true })
  groups!: string[];

  /** Subject of the admin who created the key. */
  @Column('text', { name: 'created_by' })
  createdBy!: string;

  @Column('timestamptz', { name: 'expires_at', nullable: true })
  expiresAt!: Date | null;

  @Column('timestamptz', { name: 'revoked_at', nullable: true })
  revokedAt!: Date | null;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at' })
  createdAt!: Date;
}
