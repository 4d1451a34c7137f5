import { Column, CreateDateColumn, Entity, PrimaryColumn } from 'typeorm';

/** A group that an admin or SCIM declared. Other groups exist while they have a member or an API key. */
@Entity('groups')
export class Group {
  @PrimaryColumn('uuid', { name: 'org_id' })
  orgId!: string;

  @PrimaryColumn('text')
  name!: string;

  @Column('text')
  description!: string;

  /** Source of the declaration: an admin, or provisioning by SCIM. */
  @Column('text')
  source!: 'manual' | 'scim';

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at' })
  createdAt!: Date;
}
