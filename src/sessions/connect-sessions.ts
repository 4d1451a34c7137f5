import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, type FindOptionsWhere, In, Not, Repository } from 'typeorm';
import { Session } from '../recording/session.entity';

/**
 * The Sessions module's door for those who give leave to connect, and take it back. What is asked to end inside their
 * transaction ends when that is committed, on whichever gateway it runs, as a killed session does.
 */
@Injectable()
export class ConnectSessions {
  constructor(@InjectRepository(Session) private readonly sessions: Repository<Session>) {}

  /** All that came with the credential. The caller has locked it: sessions that begin from now on are refused. */
  async endOfCredential(
    db: EntityManager,
    orgId: string,
    credentialId: string,
    reason: string,
  ): Promise<void> {
    await stop(db, { orgId, credentialId }, reason);
  }

  /** What `endOnConnection` will end. */
  async lockOnConnection(db: EntityManager, orgId: string, connectionId: string): Promise<void> {
    await lock(db, { orgId, connectionId, verb: 'connect' });
  }

  /** All clients of the target's own protocol on that connection, whatever they came with. */
  async endOnConnection(
    db: EntityManager,
    orgId: string,
    connectionId: string,
    reason: string,
  ): Promise<void> {
    await stop(db, { orgId, connectionId, verb: 'connect' }, reason);
  }

  /** When the last session with each of these credentials began; none where there was no session. */
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

type Which = FindOptionsWhere<Session> & { readonly orgId: string };

/** In the order of their ids, as recordings are stored (src/database/README.md). Returns those that are not over. */
async function lock(db: EntityManager, which: Which): Promise<string[]> {
  const open = await db.find(Session, {
    select: { id: true },
    where: { ...which, status: Not('done') },
    order: { id: 'ASC' },
    lock: { mode: 'for_no_key_update' },
  });
  return open.map(({ id }) => id);
}

/** Whoever asked first for the end of a session is named in its recording. */
async function stop(db: EntityManager, which: Which, reason: string): Promise<void> {
  const open = await lock(db, which);
  if (open.length === 0) return;
  await db
    .createQueryBuilder()
    .update(Session)
    .set({ stopReason: () => 'coalesce(stop_reason, :reason)' })
    .setParameters({ reason })
    .where({ orgId: which.orgId, id: In(open) })
    .execute();
}
