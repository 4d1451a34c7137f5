import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { v7 as uuid7 } from 'uuid';
import { ChangeFeed } from '../../platform/database/feed/change-feed';
import { CHECK_VIOLATION, brokenConstraint } from '../../platform/database/faults/constraint';
import { type SessionEntry, SessionRecorder, type SessionTrail } from '../../gate/ports/session-recorder';
import type { Target } from '../../gate/ports/target-directory';
import { AppError } from '../../kernel/app-error';
import type { Principal } from '../../kernel/principal';
import { atTime } from '../../kernel/async/at-time';
import type { ResumeState } from './event-writer';
import { GatewayPipeline } from './gateway-pipeline';
import { LiveSessions } from './live-sessions';
import { RecordedTrail } from './recorded-trail';
import { SessionInserts } from './session-inserts';
import { SessionRow, type SessionKey } from './session.entity';
import { StopRequests } from './stop-requests';

/** Opens recordings of new sessions, and continues recordings of sessions after a review. */
@Injectable()
export class JournalingSessionRecorder extends SessionRecorder {
  private readonly inserts: SessionInserts;

  constructor(
    @InjectRepository(SessionRow) sessions: Repository<SessionRow>,
    private readonly pipeline: GatewayPipeline,
    private readonly live: LiveSessions,
    private readonly stops: StopRequests,
    private readonly feed: ChangeFeed,
  ) {
    super();
    this.inserts = new SessionInserts(sessions.manager);
  }

  async begin(entry: SessionEntry): Promise<SessionTrail> {
    const { principal } = entry;
    // The time in the id determines the recording's monthly partition, and when the archive examines it. The
    // time of the database's clock is passed, because otherwise the UUID library never uses an earlier time
    // than its last one, even after a wrong clock was corrected.
    const key = { orgId: principal.orgId, id: uuid7({ msecs: Math.trunc(this.feed.databaseNow()) }) };
    const forget = (): void => {
      cancel();
      this.live.remove(key.id);
    };
    const policy = this.pipeline.policyFor(entry.target);
    const trail = new RecordedTrail(key, principal, policy, this.pipeline, forget);
    const cancel = atTime(
      entry.until,
      () => trail.abort('The access ended.'),
      () => this.feed.databaseNow(),
    );
    // Adds the session before its row exists, so that no request to end it is missed.
    this.live.add(trail, entry);
    await this.inserts.insert({ ...key, gatewayId: this.feed.gatewayId, entry }).catch((error: unknown) => {
      forget();
      throw brokenConstraint(error, CHECK_VIOLATION) === 'sessions_credential_check' ? hasEnded() : error;
    });
    this.live.announce(key.id);
    return trail;
  }

  /**
   * Continues the recording of a session that waited for a review. The session's row must already name this
   * gateway.
   * @param over Called when the session has ended; `end` waits for it.
   */
  resume(
    key: SessionKey,
    principal: Principal,
    target: Target,
    state: ResumeState,
    over: () => Promise<void>,
  ): SessionTrail {
    const forget = (): Promise<void> => {
      this.live.remove(key.id);
      return over();
    };
    const policy = this.pipeline.policyFor(target);
    const trail = new RecordedTrail(key, principal, policy, this.pipeline, forget, state);
    this.live.add(trail, { principal, target, verb: 'exec' });
    // Reads stop requests and changes that were notified before this gateway ran the session.
    void this.stops.obey();
    this.live.announce(key.id);
    return trail;
  }

  fault(): string | undefined {
    return this.pipeline.journal.fault;
  }

  tryOut(): Promise<string | undefined> {
    return this.pipeline.probe();
  }
}

/**
 * Returns the error for an ended credential. A constraint checks the credential when the row is inserted,
 * because it may have ended since its owner signed in.
 */
function hasEnded(): AppError {
  return new AppError('unauthenticated', 'the credential was revoked or has expired');
}
