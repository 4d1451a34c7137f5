import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { DomainEvents } from '../database/domain-events';
import type { Change } from '../http/change';
import { type ExpectedVersion, requireVersion } from '../http/versions';
import { connectionDeleted } from './connection-deleted';
import { Connection } from './connection.entity';
import { ConnectionsService } from './connections.service';
import { CONNECTIONS, audited, lockConnection } from './locked-connection';

/** Deletes connections, in one transaction with all that it entails. */
@Injectable()
export class ConnectionRemoval {
  constructor(
    @InjectRepository(Connection) private readonly stored: Repository<Connection>,
    private readonly connections: ConnectionsService,
    private readonly events: DomainEvents,
  ) {}

  /**
   * Its bindings and credentials go with it, and all access to it is revoked (`connectionDeleted`). Access request rules that
   * name it say so when they are read.
   */
  async remove(change: Change, nameOrId: string, expected: ExpectedVersion): Promise<void> {
    const { actor } = change;
    await this.stored.manager.transaction(async (db) => {
      // Nobody is given a credential from here on: that takes a share of this lock.
      const connection = await lockConnection(db, actor.orgId, nameOrId, 'pessimistic_write');
      requireVersion(connection.version, expected);
      const before = (await this.connections.versioned(db, connection)).view;
      const effects = await this.events.publish(db, connectionDeleted, { actor, id: connection.id });
      await db.delete(Connection, { orgId: connection.orgId, id: connection.id });
      for (const effect of effects.flat()) await change.record(db, effect);
      await change.record(db, {
        type: CONNECTIONS,
        id: connection.id,
        action: 'delete',
        before: audited(before),
        after: null,
      });
    });
  }
}
