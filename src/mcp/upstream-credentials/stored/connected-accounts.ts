import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { ConnectionsService } from '../../../connections/registry/connections.service';
import type { IssuedToken } from '../oauth/issued-token';
import { type TokenOwner, TokenRows } from './token-rows';
import { UpstreamTokens } from './upstream-tokens';

/** Begins and ends the use of tokens for which people sign in, with what belongs to it in one transaction. */
@Injectable()
export class ConnectedAccounts {
  constructor(
    private readonly connections: ConnectionsService,
    private readonly rows: TokenRows,
    private readonly tokens: UpstreamTokens,
    private readonly database: DataSource,
  ) {}

  /**
   * @param before runs first in the transaction, @param after last. Returns
   * false when the connection is gone.
   */
  async begin(
    owner: TokenOwner,
    binding: string,
    token: IssuedToken,
    before: (db: EntityManager) => Promise<void>,
    after: (db: EntityManager) => Promise<void>,
  ): Promise<boolean> {
    const isHeld = await this.database.transaction(async (db) => {
      if (!(await this.connections.hold(db, owner.orgId, owner.connectionId))) return false;
      await before(db);
      await this.rows.put(db, owner, binding, token);
      await after(db);
      return true;
    });
    this.tokens.forget({ owner, binding });
    return isHeld;
  }

  /** Returns the token that was kept. Other gateways use it for two more seconds at most. */
  async end(
    owner: TokenOwner,
    binding: string,
    after: (db: EntityManager) => Promise<void>,
  ): Promise<IssuedToken | undefined> {
    const ended = await this.database.transaction(async (db) => {
      if (!(await this.connections.hold(db, owner.orgId, owner.connectionId))) return undefined;
      const token = await this.rows.remove(db, owner, binding);
      await after(db);
      return token;
    });
    this.tokens.forget({ owner, binding });
    return ended;
  }
}
