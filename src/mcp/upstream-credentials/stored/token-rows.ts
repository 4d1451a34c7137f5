import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { ConnectionsService } from '../../../connections/registry/connections.service';
import { CredentialFault } from '../../../gate/ports/upstream-credentials';
import { repeatedInOutage } from '../../../platform/database/faults/retry';
import { SecretBox } from '../../../platform/keys/secret-box';
import type { IssuedToken, Renewal } from '../oauth/issued-token';

/** Owner of a token: all users of a connection, or one principal (`subjectId`). */
export interface TokenOwner {
  readonly orgId: string;
  readonly connectionId: string;
  /** Principal of the token; null if all users of the connection share it. */
  readonly subjectId: string | null;
}

interface Row {
  readonly id: string;
  readonly secret: Buffer;
}

/** The right to renew a token. At any time, at most one gateway has it. */
export interface Lease {
  readonly rowId: string;
  readonly lease: string;
  /** Sealed secret of the row when the lease was acquired. It identifies the version of the row. */
  readonly sealed: Buffer;
}

/**
 * Result of storing a new token: `stored`; `superseded` if the row already has a later token; `ended` if the
 * row was deleted with the account or the connection.
 */
export type Keeping = 'stored' | 'superseded' | 'ended';

type StoredSecret = Readonly<Record<string, string>>;

/** A row whose lease was acquired. */
export interface LeasedRow {
  readonly lease: Lease;
  readonly kept: IssuedToken | undefined;
  /**
   * Whether the row has a token for another secret of the connection. The holder of the lease must neither
   * replace nor delete that token. Otherwise a session that began before the secret changed would disconnect
   * the account that was connected after the change.
   */
  readonly isForeign: boolean;
}

/**
 * Lifetime of a lease. A gateway extends its lease while it renews the token (`TokenRows.extend`). If the
 * gateway dies, another gateway can renew the token after this time.
 */
const LEASE_SECONDS = 20;
const OWNED = 'org_id = $1 AND connection_id = $2 AND subject_id IS NOT DISTINCT FROM $3';

/** Additional authenticated data with which a token is sealed, so that no other row can open it. */
export function upstreamTokenContext({ orgId, id }: { readonly orgId: string; readonly id: string }): string {
  return `upstream-token:${orgId}:${id}`;
}

/**
 * Sealed tokens in PostgreSQL. Nothing here waits for another server while it
 * holds a lock or a database connection.
 */
@Injectable()
export class TokenRows {
  constructor(
    private readonly database: DataSource,
    private readonly connections: ConnectionsService,
    private readonly box: SecretBox,
  ) {}

  /** Returns the stored token; undefined if this binding has none, or if no key of `SECRET_KEY` opens it. */
  async find(owner: TokenOwner, binding: string): Promise<IssuedToken | undefined> {
    const [row] = await this.database.query<Row[]>(
      `SELECT id, secret FROM upstream_tokens WHERE ${OWNED}`,
      valuesOf(owner),
    );
    return row === undefined ? undefined : this.opened(owner, row, binding);
  }

  /**
   * Acquires the lease of the token's row. Returns undefined if another gateway has the lease.
   * @returns the lease, and the stored token, which another gateway may just have renewed.
   * @throws CredentialFault if the connection was deleted
   */
  async take(owner: TokenOwner, binding: string): Promise<LeasedRow | undefined> {
    if (!(await this.ensureRow(owner)))
      throw new CredentialFault('unreachable', 'The connection to this MCP server was deleted.');
    const lease = randomUUID();
    const [[row]] = await this.database.query<[Row[], number]>(
      `UPDATE upstream_tokens SET lease = $4, lease_until = now() + interval '${LEASE_SECONDS} seconds'
       WHERE ${OWNED} AND (lease IS NULL OR lease_until < now()) RETURNING id, secret`,
      [...valuesOf(owner), lease],
    );
    if (row === undefined) return undefined;
    const secret = this.openedSecret(owner, row);
    const isForeign = secret?.['BINDING'] !== undefined && secret['BINDING'] !== binding;
    return { lease: { rowId: row.id, lease, sealed: row.secret }, kept: tokenOf(secret, binding), isForeign };
  }

  /** Extends the lease, unless another gateway has acquired it meanwhile. */
  async extend({ rowId, lease }: Lease): Promise<void> {
    await this.database.query(
      `UPDATE upstream_tokens SET lease_until = now() + interval '${LEASE_SECONDS} seconds'
       WHERE id = $1 AND lease = $2`,
      [rowId, lease],
    );
  }

  /**
   * Stores a new token and releases the lease. A holder that lost its lease still stores the new token if the
   * row is unchanged, because most authorization servers no longer accept the old refresh token.
   */
  async keep(
    owner: TokenOwner,
    { rowId, lease, sealed }: Lease,
    binding: string,
    token: IssuedToken,
  ): Promise<Keeping> {
    const secret = this.sealed(owner, rowId, binding, token);
    return repeatedInOutage(async () => {
      // `secret = $3` makes a repeated attempt succeed if the first one was committed but not acknowledged.
      const [kept] = await this.database.query<[Row[], number]>(
        `UPDATE upstream_tokens SET secret = $3, lease = NULL, lease_until = NULL, keep_until = $4,
           status = 'ok', status_at = CASE WHEN status = 'ok' THEN status_at ELSE now() END
         WHERE id = $1 AND (lease = $2 OR secret = $5 OR secret = $3) RETURNING id`,
        [rowId, lease, secret, new Date(token.keepUntil ?? token.renewAt), sealed],
      );
      if (kept.length > 0) return 'stored';
      const rows = await this.database.query<Row[]>('SELECT id FROM upstream_tokens WHERE id = $1', [rowId]);
      return rows.length > 0 ? 'superseded' : 'ended';
    });
  }

  /**
   * Replaces the stored token by a token from a sign-in. A renewal that is running on any gateway loses its
   * lease. The transaction must have locked the connection with `ConnectionsService.hold`.
   */
  async put(db: EntityManager, owner: TokenOwner, binding: string, token: IssuedToken): Promise<void> {
    await this.insertRow(db, owner);
    const [row] = await db.query<{ id: string }[]>(
      `SELECT id FROM upstream_tokens WHERE ${OWNED} FOR UPDATE`,
      valuesOf(owner),
    );
    if (row === undefined) throw new Error('the row of a token that was just made is missing');
    await db.query(
      `UPDATE upstream_tokens SET secret = $2, lease = NULL, lease_until = NULL, keep_until = $3, status = 'ok',
         status_at = now() WHERE id = $1`,
      [row.id, this.sealed(owner, row.id, binding, token), new Date(token.keepUntil ?? token.renewAt)],
    );
  }

  /**
   * Deletes the row, so that a running renewal stores nothing.
   * @returns the token that was stored for this binding
   */
  async remove(db: EntityManager, owner: TokenOwner, binding: string): Promise<IssuedToken | undefined> {
    const [[row]] = await db.query<[Row[], number]>(
      `DELETE FROM upstream_tokens WHERE ${OWNED} RETURNING id, secret`,
      valuesOf(owner),
    );
    return row === undefined ? undefined : this.opened(owner, row, binding);
  }

  /**
   * Deletes all rows of a connection.
   * @returns the tokens that were stored for this binding; none if the binding is undefined
   */
  async removeAll(
    db: EntityManager,
    orgId: string,
    connectionId: string,
    binding: string | undefined,
  ): Promise<IssuedToken[]> {
    const [rows] = await db.query<[Row[], number]>(
      `DELETE FROM upstream_tokens WHERE id = ANY (ARRAY(
         SELECT id FROM upstream_tokens WHERE org_id = $1 AND connection_id = $2 ORDER BY id FOR UPDATE))
       RETURNING id, secret`,
      [orgId, connectionId],
    );
    if (binding === undefined) return [];
    return rows.flatMap((row) => this.opened({ orgId }, row, binding) ?? []);
  }

  /** Releases the lease. The stored token does not change. */
  async giveUp({ rowId, lease }: Lease): Promise<void> {
    await this.database.query(
      'UPDATE upstream_tokens SET lease = NULL, lease_until = NULL WHERE id = $1 AND lease = $2',
      [rowId, lease],
    );
  }

  /** Releases the lease and deletes the token, so that a refused refresh token is not presented again. */
  async needReauth({ orgId }: TokenOwner, { rowId, lease }: Lease): Promise<void> {
    await this.database.query(
      `UPDATE upstream_tokens SET lease = NULL, lease_until = NULL, secret = $3, status = 'needs_reauth',
         status_at = CASE WHEN status = 'needs_reauth' THEN status_at ELSE now() END,
         keep_until = now() + interval '30 days'
       WHERE id = $1 AND lease = $2`,
      [rowId, lease, this.box.seal({}, upstreamTokenContext({ orgId, id: rowId }))],
    );
  }

  /** Inserts a row if there is none. Returns false if the connection no longer exists. */
  private async ensureRow(owner: TokenOwner): Promise<boolean> {
    const { orgId, connectionId } = owner;
    const [known] = await this.database.query<Row[]>(
      `SELECT id FROM upstream_tokens WHERE ${OWNED}`,
      valuesOf(owner),
    );
    if (known !== undefined) return true;
    return this.database.transaction(async (db) => {
      if (!(await this.connections.hold(db, orgId, connectionId))) return false;
      await this.insertRow(db, owner);
      return true;
    });
  }

  private async insertRow(db: EntityManager, { orgId, connectionId, subjectId }: TokenOwner): Promise<void> {
    const id = randomUUID();
    await db.query(
      `INSERT INTO upstream_tokens (org_id, id, connection_id, subject_id, secret, status, status_at)
       VALUES ($1, $2, $3, $4, $5, 'none', now()) ON CONFLICT DO NOTHING`,
      [orgId, id, connectionId, subjectId, this.box.seal({}, upstreamTokenContext({ orgId, id }))],
    );
  }

  private sealed({ orgId }: TokenOwner, id: string, binding: string, token: IssuedToken): Buffer {
    const { accessToken, obtainedAt, renewAt, keepUntil, refresh } = token;
    return this.box.seal(
      {
        BINDING: binding,
        ACCESS: accessToken,
        OBTAINED_AT: String(obtainedAt),
        RENEW_AT: String(renewAt),
        ...(keepUntil === undefined ? {} : { KEEP_UNTIL: String(keepUntil) }),
        ...(refresh === undefined ? {} : { REFRESH: JSON.stringify(refresh) }),
      },
      upstreamTokenContext({ orgId, id }),
    );
  }

  private opened(owner: Pick<TokenOwner, 'orgId'>, row: Row, binding: string): IssuedToken | undefined {
    return tokenOf(this.openedSecret(owner, row), binding);
  }

  private openedSecret({ orgId }: Pick<TokenOwner, 'orgId'>, { id, secret }: Row): StoredSecret | undefined {
    try {
      return this.box.open(secret, upstreamTokenContext({ orgId, id }));
    } catch {
      // The key that sealed this token was removed. A new token will replace it.
      return undefined;
    }
  }
}

/** Returns the stored token; undefined if the secret contains no token for this binding. */
function tokenOf(secret: StoredSecret | undefined, binding: string): IssuedToken | undefined {
  const { BINDING, ACCESS, OBTAINED_AT, RENEW_AT, KEEP_UNTIL, REFRESH } = secret ?? {};
  if (BINDING !== binding || ACCESS === undefined) return undefined;
  return {
    accessToken: ACCESS,
    obtainedAt: Number(OBTAINED_AT),
    renewAt: Number(RENEW_AT),
    ...(KEEP_UNTIL === undefined ? {} : { keepUntil: Number(KEEP_UNTIL) }),
    ...(REFRESH === undefined ? {} : { refresh: JSON.parse(REFRESH) as Renewal }),
  };
}

function valuesOf({ orgId, connectionId, subjectId }: TokenOwner): unknown[] {
  return [orgId, connectionId, subjectId];
}
