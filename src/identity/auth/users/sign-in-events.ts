import { DomainEvent } from '../../../platform/database/feed/domain-events';

/** SCIM's data of a person. */
export interface Provisioned {
  readonly active: boolean;
  readonly groups: readonly string[];
}

/**
 * Published before a person with this external id signs in. The handler returns SCIM's data about the
 * person, or undefined when SCIM never provisioned the person. The data cannot change until the transaction
 * ends.
 */
export const signingIn = new DomainEvent<
  { readonly orgId: string; readonly externalId: string },
  Provisioned | undefined
>('signing in', ['scim']);
