import { DomainEvent } from '../database/domain-events';

export interface NamedAttribute {
  readonly orgId: string;
  readonly name: string;
}

/** Asked for the view of attributes. Handlers return the names of what bears each of them. */
export const attributeBearers = new DomainEvent<
  { readonly orgId: string; readonly attributes: readonly string[] },
  ReadonlyMap<string, readonly string[]>
>('attribute bearers', ['connections', 'guardrails', 'access-rules']);

/** A new attribute is put on connections. They throw AppError `unprocessable` when one of the names is unknown. */
export const attributeCreated = new DomainEvent<
  NamedAttribute & { readonly connectionNames: readonly string[] }
>('attribute created', ['connections']);

/**
 * Published before the attribute is locked: connections and guardrails come before it in the order of locks. Access rules throw
 * AppError `conflict` when one of them would cover nothing any more.
 */
export const attributeDeleting = new DomainEvent<NamedAttribute>('attribute deleting', [
  'access-rules',
  'connections',
  'guardrails',
]);

/** Published once the attribute is locked: access rules come after it in the order of locks. */
export const attributeDeleted = new DomainEvent<NamedAttribute>('attribute deleted', ['access-rules']);
