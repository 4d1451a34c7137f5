import { DomainEvent } from '../../platform/database/feed/domain-events';

/**
 * Published before bindings of these connections change. The modules that store connections must lock the
 * connections, in the order of their ids.
 */
export const bindingsChanging = new DomainEvent<{
  readonly orgId: string;
  readonly connectionIds: readonly string[];
}>('bindings changing', ['connections']);
