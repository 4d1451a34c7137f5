import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { McpAuthState, McpAuthStates } from '../../connections/registry/connection-states';
import type { Target } from '../../gate/ports/target-directory';
import { authPlanOf } from './oauth/auth-of-secret';
import { AccountRevocation } from './sign-in/account-revocation';
import { TokenRows } from './stored/token-rows';

interface Row {
  readonly connection_id: string;
  readonly status: McpAuthState['status'];
  readonly status_at: Date;
}

/** Provides the `mcp_auth` values of connections. */
@Injectable()
export class TokenStates implements McpAuthStates {
  constructor(
    private readonly rows: TokenRows,
    private readonly revocation: AccountRevocation,
  ) {}

  async of(
    db: EntityManager,
    orgId: string,
    ids: readonly string[],
    viewerId: string | undefined,
  ): Promise<ReadonlyMap<string, McpAuthState>> {
    // A connection has either a shared token or one token for each principal. It has both kinds only for a
    // moment, after its secret changed.
    const rows = await db.query<Row[]>(
      `SELECT DISTINCT ON (connection_id) connection_id, status, status_at FROM upstream_tokens
       WHERE org_id = $1 AND connection_id = ANY ($2) AND (subject_id IS NULL OR subject_id = $3)
       ORDER BY connection_id, status_at DESC`,
      [orgId, [...ids], viewerId ?? null],
    );
    return new Map(
      rows.map(({ connection_id: id, status, status_at: at }) => [
        id,
        { status, since: status === 'none' ? null : at },
      ]),
    );
  }

  async forget(
    db: EntityManager,
    { orgId, id }: Pick<Target, 'orgId' | 'id'>,
    secret: Readonly<Record<string, string>> | undefined,
  ): Promise<() => void> {
    const plan = secret === undefined ? undefined : authPlanOf(secret);
    const tokens = await this.rows.removeAll(db, orgId, id, plan?.binding);
    // Sign-in addresses for the former secret of the connection are useless now.
    await db.query(
      `DELETE FROM upstream_sign_ins WHERE id = ANY (ARRAY(
         SELECT id FROM upstream_sign_ins WHERE org_id = $1 AND connection_id = $2 ORDER BY id FOR UPDATE))`,
      [orgId, id],
    );
    if (plan?.kind !== 'sign-in' || tokens.length === 0) return () => undefined;
    return () => void this.revocation.revokeAll(orgId, plan, tokens);
  }
}
