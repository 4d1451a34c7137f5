import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Switches of the organization's access features (specification, section 5.7). */
export interface OrganizationFeatures {
  /** Whether connections can be opened only by members of their `access_groups`. */
  access_control: boolean;
  /** Whether access request rules require approval. */
  review: boolean;
}

@Entity('organizations')
export class Organization {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('text')
  name!: string;

  @Column('jsonb')
  features!: OrganizationFeatures;
}
