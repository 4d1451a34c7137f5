import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Which of the organization's access features are on (specification, section 5.7). */
export interface OrganizationFeatures {
  /** Connections are open only to their `access_groups`. */
  access_control: boolean;
  /** Access request rules ask people for approval. */
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
