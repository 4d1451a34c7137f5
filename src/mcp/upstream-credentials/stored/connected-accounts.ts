import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { ConnectionsService } from '../../../connections/registry/connections.service';
import type { IssuedToken } from '../oauth/issued-token';
import { type TokenOwner, TokenRows } from './token-rows';
import { UpstreamTokens } from './upstream-tokens';

/** Stores and removes the tokens of people who sign in, together with related changes in one transaction. */
@Injectable()
export class ConnectedAccounts {
  constructor(
    private readonly connections: ConnectionsService,
    private readonly rows: TokenRows,
    private readonly tokens: UpstreamTokens,
    private readonly database: DataSource,
  ) {}

  /**
   * Stores the token. Returns false if the connection no longer exists.
   * @param before runs first in the transaction. @param after runs last in the transaction.
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

  /** Removes and returns the stored token. Other gateways may use it for at most two more seconds. */
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
