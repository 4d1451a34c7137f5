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

  /** `iat` of the token whose groups were taken last; an older token never brings groups back. */
  @Column('timestamptz', { name: 'groups_synced_at', nullable: true })
  groupsSyncedAt!: Date | null;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at' })
  createdAt!: Date;

  @UpdateDateColumn({ type: 'timestamptz', name: 'updated_at' })
  updatedAt!: Date;
}

/** Membership; `idp` rows follow the identity provider's claim, `manual` rows are an admin's. */
@Entity('user_groups')
export class UserGroup {
  @Column('uuid', { name: 'org_id' })
  orgId!: string;

  @PrimaryColumn('uuid', { name: 'user_id' })
  userId!: string;

  @PrimaryColumn('text', { name: 'group_name' })
  groupName!: string;

  @PrimaryColumn('text')
  source!: 'idp' | 'manual';
}
