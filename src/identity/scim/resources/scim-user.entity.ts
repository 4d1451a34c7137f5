import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Attributes } from '../values/attributes';

/**
 * A person as SCIM knows them. It is no account for signing in: users of the gateway are linked to it by
 * `external_id`.
 */
@Entity('scim_users')
export class ScimUser {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'org_id' })
  orgId!: string;

  @Column('text', { name: 'user_name' })
  userName!: string;

  @Column('text', { name: 'external_id', nullable: true })
  externalId!: string | null;

  /** Whether the person may act. */
  @Column('boolean')
  active!: boolean;

  /**
   * Whether the attribute `active` has a value. If it has none, the column `active` keeps its previous value,
   * so that a missing attribute changes no access.
   */
  @Column('boolean', { name: 'active_assigned' })
  activeAssigned!: boolean;

  /** Attributes without a column of their own, in the form of `readResource`. */
  @Column('jsonb')
  attributes!: Attributes;

  @Column('integer')
  version!: number;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;

  @Column('timestamptz', { name: 'updated_at' })
  updatedAt!: Date;

  /**
   * Time of deletion. The row of a deleted person remains, with only the external id, so that the person
   * cannot regain access with an old access token.
   */
  @Column('timestamptz', { name: 'deleted_at', nullable: true })
  deletedAt!: Date | null;
}
