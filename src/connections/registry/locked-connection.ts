import type { EntityManager } from 'typeorm';
import { AppError } from '../../kernel/app-error';
import type { ConnectionView } from './connection-view.dto';
import { Connection } from './connection.entity';
import { unknownConnection, which } from './connections.service';

/** Type of the resource in the audit log. */
export const CONNECTIONS = 'connections';

/**
 * Returns a connection that is locked until the transaction ends.
 * @param mode `pessimistic_write` for a deletion: also blocks inserts of rows that refer to the connection.
 * @throws AppError `not_found`; `malformed` when the connection is managed outside the gateway.
 */
export async function lockConnection(
  db: EntityManager,
  orgId: string,
  nameOrId: string,
  mode: 'for_no_key_update' | 'pessimistic_write' = 'for_no_key_update',
): Promise<Connection> {
  const connection = await db.findOne(Connection, { where: which(orgId, nameOrId), lock: { mode } });
  if (connection === null) throw unknownConnection();
  if (connection.managedBy !== null)
    throw new AppError(
      'malformed',
      `this connection is managed by ${connection.managedBy} and read-only here`,
    );
  return connection;
}

/** The view for the audit log, without measurements, which are not changes. */
export function audited(view: ConnectionView): object {
  const { status: _, status_at: __, mcp_auth: ___, ...made } = view;
  return made;
}
