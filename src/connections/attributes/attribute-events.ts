import { DomainEvent } from '../../platform/database/feed/domain-events';

export interface NamedAttribute {
  readonly orgId: string;
  readonly name: string;
}

/** Published for the view of attributes. Handlers return the names of what has each of them. */
export const attributeBearers = new DomainEvent<
  { readonly orgId: string; readonly attributes: readonly string[] },
  ReadonlyMap<string, readonly string[]>
>('attribute bearers', ['connections', 'guardrails', 'access-rules']);

/** Handlers add a new attribute to connections. They throw AppError `unprocessable` for an unknown name. */
export const attributeCreated = new DomainEvent<
  NamedAttribute & { readonly connectionNames: readonly string[] }
>('attribute created', ['connections']);

/**
 * Published before the attribute is locked, because connections and guardrails come before it in the order of
 * locks. Access rules throw AppError `conflict` when one of them would cover nothing any more.
 */
export const attributeDeleting = new DomainEvent<NamedAttribute>('attribute deleting', [
  'access-rules',
  'connections',
  'guardrails',
]);

/** Published when the attribute is locked, because access rules come after it in the order of locks. */
export const attributeDeleted = new DomainEvent<NamedAttribute>('attribute deleted', ['access-rules']);
