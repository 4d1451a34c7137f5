import { DomainEvent } from '../database/domain-events';

/** Bindings of these connections are about to change: whoever keeps them locks them, in the order of their ids. */
export const bindingsChanging = new DomainEvent<{
  readonly orgId: string;
  readonly connectionIds: readonly string[];
}>('bindings changing', ['connections']);
