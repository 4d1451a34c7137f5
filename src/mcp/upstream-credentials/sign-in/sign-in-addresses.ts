import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { HttpSettings } from '../../../platform/config/groups';
import { ConnectionsService } from '../../../connections/registry/connections.service';
import { ChangeFeed } from '../../../platform/database/feed/change-feed';
import type { Target } from '../../../gate/ports/target-directory';
import { Clock } from '../../../kernel/async/clock';
import { CONNECT_PATH } from './upstream-clients';

/** Lifetime of a sign-in address. It is long, because the person may be away when an agent needs it. */
const LIFETIME_MS = 60 * 60_000;
/** Minimum remaining lifetime at which an existing sign-in address is returned instead of a new one. */
const LEFT_MS = 15 * 60_000;

/** Name of the message by which gateways notify each other that a sign-in address was used. */
export const CONNECTED = 'upstream_sign_in_connected';

interface Row {
  readonly id: string;
  readonly connection_id: string;
  readonly user_id: string;
  readonly scope: string | null;
  readonly expires_at: Date;
}

/** A sign-in address: a page where one person connects an account. It is valid once, for one hour. */
export interface StoredAddress {
  readonly id: string;
  readonly connectionId: string;
  /** The only user who can use the address. */
  readonly userId: string;
  /** Scopes to request in addition to the default scopes, because the MCP server demands more. */
  readonly scope: string | undefined;
  readonly expiresAt: Date;
}

/** Stores the sign-in addresses in PostgreSQL. */
@Injectable()
export class SignInAddresses {
  constructor(
    private readonly database: DataSource,
    private readonly connections: ConnectionsService,
    private readonly http: HttpSettings,
    private readonly clock: Clock,
  ) {}

  urlOf(id: string): string {
    return `${this.http.apiUrl}${this.http.apiPrefix}${CONNECT_PATH}/${id}`;
  }

  /** Returns a valid sign-in address, old or new; undefined if the connection no longer exists. */
  async give(
    { orgId, id: connectionId }: Pick<Target, 'orgId' | 'id'>,
    userId: string,
    scope: string | undefined,
  ): Promise<StoredAddress | undefined> {
    const now = this.clock.now();
    const [known] = await this.database.query<Row[]>(
      `SELECT id, connection_id, user_id, scope, expires_at FROM upstream_sign_ins
       WHERE org_id = $1 AND connection_id = $2 AND user_id = $3 AND scope IS NOT DISTINCT FROM $4
         AND completed_at IS NULL AND expires_at > $5
       ORDER BY expires_at DESC LIMIT 1`,
      [orgId, connectionId, userId, scope ?? null, new Date(now + LEFT_MS)],
    );
    if (known !== undefined) return addressOf(known);
    const id = randomUUID();
    const expiresAt = new Date(now + LIFETIME_MS);
    const isHeld = await this.database.transaction(async (db) => {
      if (!(await this.connections.hold(db, orgId, connectionId))) return false;
      await db.query(
        `INSERT INTO upstream_sign_ins (org_id, id, connection_id, user_id, scope, expires_at)
         VALUES ($1, $2, $3, $4, $5, $6)`,
        [orgId, id, connectionId, userId, scope ?? null, expiresAt],
      );
      return true;
    });
    return isHeld ? { id, connectionId, userId, scope, expiresAt } : undefined;
  }

  /** Returns the sign-in address if this person can use it now. */
  async find(orgId: string, id: string, userId: string): Promise<StoredAddress | undefined> {
    const [row] = await this.database.query<Row[]>(
      `SELECT id, connection_id, user_id, scope, expires_at FROM upstream_sign_ins
       WHERE org_id = $1 AND id = $2 AND user_id = $3 AND completed_at IS NULL AND expires_at > $4`,
      [orgId, id, userId, new Date(this.clock.now())],
    );
    return row === undefined ? undefined : addressOf(row);
  }

  /**
   * Marks the sign-in address as used; the commit notifies all gateways. Returns false if the address was
   * used meanwhile or no longer exists.
   */
  async complete(db: EntityManager, id: string): Promise<boolean> {
    const [rows] = await db.query<[object[], number]>(
      'UPDATE upstream_sign_ins SET completed_at = now() WHERE id = $1 AND completed_at IS NULL RETURNING id',
      [id],
    );
    if (rows.length === 0) return false;
    await db.query('SELECT pg_notify($1, $2)', [ChangeFeed.CHANNEL, `${CONNECTED}:${id}`]);
    return true;
  }
}

function addressOf(row: Row): StoredAddress {
  return {
    id: row.id,
    connectionId: row.connection_id,
    userId: row.user_id,
    scope: row.scope ?? undefined,
    expiresAt: row.expires_at,
  };
}
