import { DomainEvent } from '../../../platform/database/feed/domain-events';

/** What SCIM says about a person. */
export interface Provisioned {
  readonly active: boolean;
  readonly groups: readonly string[];
}

/**
 * A person with this external id is about to be signed in. The handler returns what SCIM says about the
 * person, and keeps it from changing until the transaction ends; undefined when SCIM never named the person.
 */
export const signingIn = new DomainEvent<
  { readonly orgId: string; readonly externalId: string },
  Provisioned | undefined
>('signing in', ['scim']);
