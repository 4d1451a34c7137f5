import { DomainEvent } from '../database/domain-events';
import type { OrganizationFeatures } from './organization.entity';

/** Handlers return warnings: what the features leave without effect, or close to all but admins. */
export const featuresChanged = new DomainEvent<
  { readonly orgId: string; readonly features: OrganizationFeatures },
  string[]
>('features changed', ['connections', 'access-rules']);
