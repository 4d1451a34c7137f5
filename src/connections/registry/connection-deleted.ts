import { DomainEvent } from '../../platform/database/feed/domain-events';
import type { ChangeEffect } from '../../platform/http/routes/change';
import type { Principal } from '../../kernel/principal';

/** A connection being deleted. It is locked: no access to it can be requested until the transaction ends. */
export interface DeletedConnection {
  readonly actor: Principal;
  readonly id: string;
}

/**
 * Published before the row is deleted. Handlers return entries for the audit
 * log, which are written after all locks are taken.
 */
export const connectionDeleted = new DomainEvent<DeletedConnection, ChangeEffect[]>('connection deleted', [
  'access',
]);
