import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, type FindOptionsWhere, Not, Repository } from 'typeorm';
import { Session } from './session.entity';

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

/** Whoever asked first for the end of a session is named in its recording. */
async function stop(db: EntityManager, which: FindOptionsWhere<Session>, reason: string): Promise<void> {
  await db
    .createQueryBuilder()
    .update(Session)
    .set({ stopReason: () => 'coalesce(stop_reason, :reason)' })
    .setParameters({ reason })
    .where({ ...which, status: Not('done') })
    .execute();
}
