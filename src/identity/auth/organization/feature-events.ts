import { DomainEvent } from '../../../platform/database/feed/domain-events';
import type { OrganizationFeatures } from './organization.entity';

/**
 * Published when features change. Handlers return warnings about settings without effect, and about
 * connections that only admins can open now.
 */
export const featuresChanged = new DomainEvent<
  { readonly orgId: string; readonly features: OrganizationFeatures },
  string[]
>('features changed', ['connections', 'access-rules']);
