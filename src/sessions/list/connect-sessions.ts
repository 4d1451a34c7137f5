import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, type FindOptionsWhere, In, Not, Repository } from 'typeorm';
import { SessionRow } from '../recording/session.entity';

/**
 * Ends the sessions of a credential or a connection, for modules that grant and revoke access. A stop request
 * is written in the caller's transaction; once it is committed, the gateway that runs the session ends it.
 */
@Injectable()
export class ConnectSessions {
  constructor(@InjectRepository(SessionRow) private readonly sessions: Repository<SessionRow>) {}

  /** Ends all sessions of the credential. The caller has locked the credential, so no new session begins. */
  async endOfCredential(
    db: EntityManager,
    orgId: string,
    credentialId: string,
    reason: string,
  ): Promise<void> {
    await stop(db, { orgId, credentialId }, reason);
  }

  /** Locks the sessions that `endOnConnection` will end. */
  async lockOnConnection(db: EntityManager, orgId: string, connectionId: string): Promise<void> {
    await lock(db, { orgId, connectionId, verb: 'connect' });
  }

  /** Ends all client sessions (verb `connect`) on the connection, whatever credential they used. */
  async endOnConnection(
    db: EntityManager,
    orgId: string,
    connectionId: string,
    reason: string,
  ): Promise<void> {
    await stop(db, { orgId, connectionId, verb: 'connect' }, reason);
  }

  /**
   * Returns the start of the last session of each of the given credentials. Credentials without a session are
   * not in the map.
   */
  async lastBegun(orgId: string, credentialIds: readonly string[]): Promise<Map<string, Date>> {
    const rows = await this.sessions.query<{ id: string; begun: Date }[]>(
      `SELECT credential.id, last.begun FROM unnest($2::uuid[]) AS credential (id) CROSS JOIN LATERAL (
         SELECT start_date AS begun FROM sessions WHERE org_id = $1 AND credential_id = credential.id
         ORDER BY start_date DESC LIMIT 1) AS last`,
      [orgId, [...credentialIds]],
    );
    return new Map(rows.map(({ id, begun }) => [id, begun]));
  }
}

type Which = FindOptionsWhere<SessionRow> & { readonly orgId: string };

/**
 * Locks sessions in the order of their ids, as the recorder does (src/platform/database/README.md). Returns
 * the ids of the sessions that are not over.
 */
async function lock(db: EntityManager, which: Which): Promise<string[]> {
  const open = await db.find(SessionRow, {
    select: { id: true },
    where: { ...which, status: Not('done') },
    order: { id: 'ASC' },
    lock: { mode: 'for_no_key_update' },
  });
  return open.map(({ id }) => id);
}

/**
 * Requests the end of the sessions. Keeps the reason of an earlier stop request, because the recording names
 * the first requester.
 */
async function stop(db: EntityManager, which: Which, reason: string): Promise<void> {
  const open = await lock(db, which);
  if (open.length === 0) return;
  await db
    .createQueryBuilder()
    .update(SessionRow)
    .set({ stopReason: () => 'coalesce(stop_reason, :reason)' })
    .setParameters({ reason })
    .where({ orgId: which.orgId, id: In(open) })
    .execute();
}
