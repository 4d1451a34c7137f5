import { DomainEvent } from '../../platform/database/feed/domain-events';

/**
 * Bindings of these connections are about to change: the modules that store
 * them must lock them, in the order of their ids.
 */
export const bindingsChanging = new DomainEvent<{
  readonly orgId: string;
  readonly connectionIds: readonly string[];
}>('bindings changing', ['connections']);
