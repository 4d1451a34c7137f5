import { DomainEvent } from '../../../platform/database/feed/domain-events';

/** SCIM's data of a person. */
export interface Provisioned {
  readonly active: boolean;
  readonly groups: readonly string[];
}

/**
 * A person with this external id is about to be signed in. The handler returns SCIM's data of the person, and
 * keeps them from changing until the transaction ends; undefined when SCIM never named the person.
 */
export const signingIn = new DomainEvent<
  { readonly orgId: string; readonly externalId: string },
  Provisioned | undefined
>('signing in', ['scim']);
