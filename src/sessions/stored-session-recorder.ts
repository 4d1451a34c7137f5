import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { Principals } from '../auth/principals';
import { ChangeFeed } from '../database/change-feed';
import { type SessionEntry, SessionRecorder, type SessionTrail } from '../gate/ports/session-recorder';
import { RecordingsRepository } from './recordings.repository';
import { Session } from './session.entity';
import { StoredTrail } from './stored-trail';

/** Opens recordings, and cuts the sessions of people who may no longer act. */
@Injectable()
export class StoredSessionRecorder extends SessionRecorder {
  private readonly live = new Set<StoredTrail>();

  constructor(
    @InjectRepository(Session) private readonly sessions: Repository<Session>,
    private readonly recordings: RecordingsRepository,
    private readonly principals: Principals,
    private readonly feed: ChangeFeed,
  ) {
    super();
    feed.subscribe({
      changed: (table, id) => {
        if (table === 'users' || table === 'api_keys')
          void this.recheck((trail) => trail.principal.userId === id);
      },
      reset: () => void this.recheck(() => true),
    });
  }

  async begin(entry: SessionEntry): Promise<SessionTrail> {
    const { principal, target } = entry;
    const key = { orgId: principal.orgId, id: randomUUID() };
    const trail = new StoredTrail(key, principal, this.recordings, () => this.live.delete(trail));
    await this.sessions.insert({
      ...key,
      gatewayId: this.feed.gatewayId,
      status: 'open',
      verb: entry.verb,
      type: target.type,
      connectionId: target.id,
      connectionName: target.name,
      connectionSubtype: target.subtype,
      connectionTags: target.tags,
      resourceName: target.resourceName,
      identityType: principal.identityType,
      userSubject: principal.subject,
      userEmail: principal.email,
      userName: principal.name,
      script: entry.script,
      scriptSize: Buffer.byteLength(entry.script ?? ''),
      sessionBatchId: entry.batchId,
      correlationId: entry.correlationId,
      labels: { ...entry.labels },
      metadata: { ...entry.metadata } as never,
    });
    this.live.add(trail);
    // The user may have been set inactive after the caller was identified, when this session was not live yet.
    void this.recheck((live) => live === trail);
    return trail;
  }

  /** Whether the session runs here. */
  holds(sessionId: string): boolean {
    return [...this.live].some((trail) => trail.sessionId === sessionId);
  }

  /** While changes cannot be heard of, they have to be looked for. */
  async recheckAll(): Promise<void> {
    await this.recheck(() => true);
  }

  /** Whoever set a user inactive is heard at once, on every gateway (contract: within 5 s). */
  private async recheck(concerns: (trail: StoredTrail) => boolean): Promise<void> {
    for (const trail of [...this.live].filter(concerns)) {
      await this.principals.current(trail.principal).catch((error: Error & { code?: string }) => {
        if (error.code === 'unauthenticated') trail.abort(`The session was ended: ${error.message}.`);
      });
    }
  }
}
