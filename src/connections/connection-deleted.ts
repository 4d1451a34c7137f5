import { DomainEvent } from '../database/domain-events';
import type { ChangeEffect } from '../http/change';
import type { Principal } from '../kernel/principal';

/** The connection is locked: nobody asks for access to it until the transaction ends. */
export interface DeletedConnection {
  readonly actor: Principal;
  readonly id: string;
}

/** Published before the row is deleted. Handlers return what goes on the audit log once nothing is left to be locked. */
export const connectionDeleted = new DomainEvent<DeletedConnection, ChangeEffect[]>('connection deleted', [
  'access',
]);
