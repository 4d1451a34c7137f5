import { DomainEvent } from '../../platform/database/feed/domain-events';

export interface NamedAttribute {
  readonly orgId: string;
  readonly name: string;
}

/** Published when attributes are shown. Handlers return the connections or rules that have each attribute. */
export const attributeBearers = new DomainEvent<
  { readonly orgId: string; readonly attributes: readonly string[] },
  ReadonlyMap<string, readonly string[]>
>('attribute bearers', ['connections', 'guardrails', 'access-rules']);

/** Handlers add a new attribute to connections; AppError `unprocessable` for an unknown connection. */
export const attributeCreated = new DomainEvent<
  NamedAttribute & { readonly connectionNames: readonly string[] }
>('attribute created', ['connections']);

/**
 * Published before the attribute is locked, because connections and guardrails must be locked before it. The
 * handler of access request rules throws AppError `conflict` if a rule would cover no connection without the
 * attribute.
 */
export const attributeDeleting = new DomainEvent<NamedAttribute>('attribute deleting', [
  'access-rules',
  'connections',
  'guardrails',
]);

/** Published after the attribute is locked, because access request rules must be locked after it. */
export const attributeDeleted = new DomainEvent<NamedAttribute>('attribute deleted', ['access-rules']);
