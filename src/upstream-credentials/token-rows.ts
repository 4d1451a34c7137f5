import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { ConnectionsService } from '../connections/connections.service';
import { SecretBox } from '../connections/secret-box';
import type { IssuedToken } from './token-endpoint';

/** Whose token: a connection's for all, or for one principal (`subjectId`). */
export interface TokenOwner {
  readonly orgId: string;
  readonly connectionId: string;
  /** null: shared by all who use the connection. */
  readonly subjectId: string | null;
}

interface Row {
  readonly id: string;
  readonly secret: Buffer;
}

/** The right to renew a token. One gateway has it at a time. */
export interface Lease {
  readonly rowId: string;
  readonly lease: string;
}

/** Longer than a token endpoint may take. Another gateway renews when the one that holds the lease died. */
const LEASE_SECONDS = 20;
const OWNED = 'org_id = $1 AND connection_id = $2 AND subject_id IS NOT DISTINCT FROM $3';

/** Additional authenticated data for the seal: a token copied into another row cannot be opened there. */
export function upstreamTokenContext({ orgId, id }: { readonly orgId: string; readonly id: string }): string {
  return `upstream-token:${orgId}:${id}`;
}

/** Sealed tokens in PostgreSQL. Nothing here waits for another server while it holds a lock or a database connection. */
@Injectable()
export class TokenRows {
  constructor(
    private readonly database: DataSource,
    private readonly connections: ConnectionsService,
    private readonly box: SecretBox,
  ) {}

  /** The kept token; undefined where there is none for this binding, or no key opens it. */
  async find(owner: TokenOwner, binding: string): Promise<IssuedToken | undefined> {
    const [row] = await this.database.query<Row[]>(
      `SELECT id, secret FROM upstream_tokens WHERE ${OWNED}`,
      valuesOf(owner),
    );
    return row === undefined ? undefined : this.opened(owner, row, binding);
  }

  /**
   * Takes the lease, unless another gateway has it.
   * @returns also the token that is kept now: another gateway may just have renewed it.
   */
  async take(
    owner: TokenOwner,
    binding: string,
  ): Promise<{ readonly lease: Lease; readonly kept: IssuedToken | undefined } | undefined> {
    await this.ensureRow(owner);
    const lease = randomUUID();
    const [[row]] = await this.database.query<[Row[], number]>(
      `UPDATE upstream_tokens SET lease = $4, lease_until = now() + interval '${LEASE_SECONDS} seconds'
       WHERE ${OWNED} AND (lease IS NULL OR lease_until < now()) RETURNING id, secret`,
      [...valuesOf(owner), lease],
    );
    if (row === undefined) return undefined;
    return { lease: { rowId: row.id, lease }, kept: this.opened(owner, row, binding) };
  }

  /** Keeps a new token and gives the lease back. Does nothing when the lease was taken over meanwhile. */
  async keep(owner: TokenOwner, { rowId, lease }: Lease, binding: string, token: IssuedToken): Promise<void> {
    const { accessToken, obtainedAt, renewAt } = token;
    const secret = this.box.seal(
      { BINDING: binding, ACCESS: accessToken, OBTAINED_AT: String(obtainedAt), RENEW_AT: String(renewAt) },
      upstreamTokenContext({ orgId: owner.orgId, id: rowId }),
    );
    await this.database.query(
      `UPDATE upstream_tokens SET secret = $3, lease = NULL, lease_until = NULL, keep_until = $4, status = 'ok',
         status_at = CASE WHEN status = 'ok' THEN status_at ELSE now() END
       WHERE id = $1 AND lease = $2`,
      [rowId, lease, secret, new Date(renewAt)],
    );
  }

  /** Gives the lease back without a new token. @param needsReauth the token is of no use any more */
  async giveUp({ rowId, lease }: Lease, needsReauth: boolean): Promise<void> {
    await this.database.query(
      `UPDATE upstream_tokens SET lease = NULL, lease_until = NULL,
         status = CASE WHEN $3 THEN 'needs_reauth' ELSE status END,
         status_at = CASE WHEN $3 AND status <> 'needs_reauth' THEN now() ELSE status_at END
       WHERE id = $1 AND lease = $2`,
      [rowId, lease, needsReauth],
    );
  }

  private async ensureRow(owner: TokenOwner): Promise<void> {
    const { orgId, connectionId, subjectId } = owner;
    const [known] = await this.database.query<Row[]>(
      `SELECT id FROM upstream_tokens WHERE ${OWNED}`,
      valuesOf(owner),
    );
    if (known !== undefined) return;
    const id = randomUUID();
    const secret = this.box.seal({}, upstreamTokenContext({ orgId, id }));
    await this.database.transaction(async (db) => {
      if (!(await this.connections.hold(db, orgId, connectionId))) return;
      await db.query(
        `INSERT INTO upstream_tokens (org_id, id, connection_id, subject_id, secret, status, status_at)
         VALUES ($1, $2, $3, $4, $5, 'none', now()) ON CONFLICT DO NOTHING`,
        [orgId, id, connectionId, subjectId, secret],
      );
    });
  }

  private opened({ orgId }: TokenOwner, { id, secret }: Row, binding: string): IssuedToken | undefined {
    try {
      const { BINDING, ACCESS, OBTAINED_AT, RENEW_AT } = this.box.open(
        secret,
        upstreamTokenContext({ orgId, id }),
      );
      if (BINDING !== binding || ACCESS === undefined) return undefined;
      return { accessToken: ACCESS, obtainedAt: Number(OBTAINED_AT), renewAt: Number(RENEW_AT) };
    } catch {
      // Sealed by a key that was removed: a new token replaces it.
      return undefined;
    }
  }
}

function valuesOf({ orgId, connectionId, subjectId }: TokenOwner): unknown[] {
  return [orgId, connectionId, subjectId];
}
