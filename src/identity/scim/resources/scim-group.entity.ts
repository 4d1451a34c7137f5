import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A group as SCIM knows it; `display_name` is the name of the group in the gateway. */
@Entity('scim_groups')
export class ScimGroup {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'org_id' })
  orgId!: string;

  @Column('text', { name: 'display_name' })
  displayName!: string;

  @Column('text', { name: 'external_id', nullable: true })
  externalId!: string | null;

  @Column('integer')
  version!: number;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;

  @Column('timestamptz', { name: 'updated_at' })
  updatedAt!: Date;
}
