import { DomainEvent } from '../../platform/database/feed/domain-events';

/**
 * Published before bindings of guardrail rules to these connections change. The modules that store
 * connections must then lock these connections, in the order of their ids.
 */
export const bindingsChanging = new DomainEvent<{
  readonly orgId: string;
  readonly connectionIds: readonly string[];
}>('bindings changing', ['connections']);
