import {
  Column,
  CreateDateColumn,
  Entity,
  PrimaryColumn,
  PrimaryGeneratedColumn,
  UpdateDateColumn,
} from 'typeorm';

@Entity('users')
export class User {
  @PrimaryGeneratedColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'org_id' })
  orgId!: string;

  /** The identity provider's `sub`: the main identifier. */
  @Column('text')
  subject!: string;

  @Column('text')
  email!: string;

  @Column('text')
  name!: string;

  @Column('text')
  status!: 'active' | 'inactive';

  /** `iat` of the last token whose groups were applied; the groups of an older token are ignored. */
  @Column('timestamptz', { name: 'groups_synced_at', nullable: true })
  groupsSyncedAt!: Date | null;

  /** `claim=value` of `SCIM_MATCH_CLAIM` at the last sign-in. It links the user to a SCIM user. */
  @Column('text', { name: 'match_key', nullable: true })
  matchKey!: string | null;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at' })
  createdAt!: Date;

  @UpdateDateColumn({ type: 'timestamptz', name: 'updated_at' })
  updatedAt!: Date;
}

/**
 * A membership. `idp` rows follow the identity provider's claim, `manual` rows
 * are set by admins, `scim` rows by provisioning.
 */
@Entity('user_groups')
export class UserGroup {
  @Column('uuid', { name: 'org_id' })
  orgId!: string;

  @PrimaryColumn('uuid', { name: 'user_id' })
  userId!: string;

  @PrimaryColumn('text', { name: 'group_name' })
  groupName!: string;

  @PrimaryColumn('text')
  source!: 'idp' | 'manual' | 'scim';
}
