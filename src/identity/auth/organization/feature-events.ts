import { DomainEvent } from '../../../platform/database/feed/domain-events';
import type { OrganizationFeatures } from './organization.entity';

/** Handlers return warnings: settings that are now without effect, or closed to all but admins. */
export const featuresChanged = new DomainEvent<
  { readonly orgId: string; readonly features: OrganizationFeatures },
  string[]
>('features changed', ['connections', 'access-rules']);
