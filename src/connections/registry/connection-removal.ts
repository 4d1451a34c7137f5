import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { DomainEvents } from '../../platform/database/feed/domain-events';
import type { Change } from '../../platform/http/routes/change';
import { type ExpectedVersion, requireVersion } from '../../platform/http/routes/versions';
import { connectionDeleted } from './connection-deleted';
import { ConnectionStates } from './connection-states';
import { Connection } from './connection.entity';
import { ConnectionsService } from './connections.service';
import { CONNECTIONS, audited, lockConnection } from './locked-connection';

/** Deletes connections, with all consequences in one transaction. */
@Injectable()
export class ConnectionRemoval {
  constructor(
    @InjectRepository(Connection) private readonly stored: Repository<Connection>,
    private readonly connections: ConnectionsService,
    private readonly events: DomainEvents,
    private readonly states: ConnectionStates,
  ) {}

  /**
   * Deletes the connection with its bindings and credentials, and revokes all access to it
   * (`connectionDeleted`). Access request rules that name the connection then show a warning.
   */
  async remove(change: Change, nameOrId: string, expected: ExpectedVersion): Promise<void> {
    const { actor } = change;
    const revokeTokens = await this.stored.manager.transaction(async (db) => {
      // From here on no credential can be issued, because issuing one needs a shared lock on this row.
      const connection = await lockConnection(db, actor.orgId, nameOrId, 'pessimistic_write');
      requireVersion(connection.version, expected);
      const before = (await this.connections.versioned(db, connection)).view;
      const effects = await this.events.publish(db, connectionDeleted, { actor, id: connection.id });
      // Deletes rows in the order of their keys, because `ON DELETE CASCADE` would not keep this order.
      const revoke = await this.states.forget(db, connection, this.connections.openedSecret(connection));
      await db.delete(Connection, { orgId: connection.orgId, id: connection.id });
      for (const effect of effects.flat()) await change.record(db, effect);
      await change.record(db, {
        type: CONNECTIONS,
        id: connection.id,
        action: 'delete',
        before: audited(before),
        after: null,
      });
      return revoke;
    });
    revokeTokens();
  }
}
