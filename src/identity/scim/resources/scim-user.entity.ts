import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Attributes } from '../values/attributes';

/**
 * A person as SCIM knows them. Nobody can sign in as one: users of the gateway are linked by `external_id`.
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
   * Whether the attribute `active` has a value. Without one, `active` is what
   * it was before: silence changes no access.
   */
  @Column('boolean', { name: 'active_assigned' })
  activeAssigned!: boolean;

  /** All other attributes, as `readResource` returns them. */
  @Column('jsonb')
  attributes!: Attributes;

  @Column('integer')
  version!: number;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;

  @Column('timestamptz', { name: 'updated_at' })
  updatedAt!: Date;

  /**
   * A deleted one is kept with its external id alone, so that an old access
   * token does not bring the person back.
   */
  @Column('timestamptz', { name: 'deleted_at', nullable: true })
  deletedAt!: Date | null;
}
