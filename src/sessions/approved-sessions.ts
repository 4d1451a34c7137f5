import { Injectable, Logger } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, IsNull, Repository } from 'typeorm';
import { Principals } from '../auth/principals';
import { ChangeFeed } from '../database/change-feed';
import { PendingExecutions, type PendingExecution } from '../gate/ports/pending-executions';
import type { SessionTrail } from '../gate/ports/session-recorder';
import type { Target } from '../gate/ports/target-directory';
import { AppError, messageOf } from '../kernel/app-error';
import type { Principal } from '../kernel/principal';
import { ReviewExecutions } from '../reviews/review-executions';
import { ReviewsOfSessions } from '../reviews/reviews-of-sessions';
import { JournalingSessionRecorder } from '../recording/journaling-session-recorder';
import { decodePieces } from '../recording-format/event-codec';
import type { Begun } from '../recording/event-ways';
import { stateOf } from '../recording/recording-store';
import { Session, SessionChunk } from '../recording/session.entity';
import { VisibleSessions, isOwner } from './visible-sessions';

/** Hands sessions that were approved to the gateway that is to run them. */
@Injectable()
export class ApprovedSessions extends PendingExecutions {
  private readonly log = new Logger(ApprovedSessions.name);

  constructor(
    @InjectRepository(Session) private readonly stored: Repository<Session>,
    private readonly sessions: VisibleSessions,
    private readonly executions: ReviewExecutions,
    private readonly reviews: ReviewsOfSessions,
    private readonly principals: Principals,
    private readonly recorder: JournalingSessionRecorder,
    private readonly feed: ChangeFeed,
  ) {
    super();
  }

  async find(actor: Principal, sessionId: string): Promise<PendingExecution> {
    const { session, review } = await this.sessions.find(actor, sessionId);
    if (actor.role !== 'admin' && !isOwner(actor, session))
      throw new AppError('forbidden', 'only who asked for it or an admin may run this');
    if (review === null)
      throw new AppError('conflict', 'nobody was asked about this session: nothing in it waits to be run');
    const { orgId, id, connectionId, connectionName, script } = session;
    if (script === null) throw new AppError('conflict', 'this session has no script to run');
    const requester = await this.requesterOf(session);
    return { orgId, id, reviewId: review.id, requester, connectionId, connectionName, script };
  }

  async claim(asked: PendingExecution, target: Target, inputHash: Buffer): Promise<SessionTrail> {
    const { orgId, id } = asked;
    const begun = await this.stored.manager.transaction(async (db) => {
      await this.executions.take(db, orgId, id, inputHash);
      return this.open(db, asked);
    });
    const over = (): Promise<void> =>
      this.executions.executed(orgId, id).catch((error: unknown) => {
        this.log.warn(`The keeper will say that the review of session ${id} is over: ${messageOf(error)}`);
      });
    return this.recorder.resume({ orgId, id }, asked.requester, target, begun, over);
  }

  private async requesterOf({ orgId, id }: Session): Promise<Principal> {
    const requester = await this.reviews.requester(this.stored.manager, { orgId, id });
    if (requester === undefined) throw gone();
    const current = await this.principals.current(requester).catch((error: Error & { code?: string }) => {
      throw error.code === 'unauthenticated' ? gone() : error;
    });
    // Auditors run nothing (contract, "Who may do what"), in nobody else's hands either.
    if (current.role === 'auditor') throw gone();
    return current;
  }

  /**
   * The session runs from now on, here. Its start is when it runs (specification, section 2.4), less what its events took
   * until it waited, so that those which come now come after them.
   */
  private async open(db: EntityManager, { orgId, id }: PendingExecution): Promise<Begun> {
    const waiting = { orgId, id, status: 'ready', gatewayId: IsNull(), stopReason: IsNull() } as const;
    const session = await db.findOne(Session, { where: waiting, lock: { mode: 'for_no_key_update' } });
    if (session === null) throw new AppError('conflict', 'the session is over, or is being ended');
    const time = await lastTimeIn(db, session);
    await db
      .createQueryBuilder()
      .update(Session)
      .set({
        status: 'open',
        gatewayId: this.feed.gatewayId,
        startDate: () => `clock_timestamp() - :time * interval '1 millisecond'`,
      })
      .setParameters({ time })
      .where(waiting)
      .execute();
    const { eventsReceived: received, guardrailsInfo, dataMasking } = session;
    const counts = { received, checked: session.guardrailsChecked, blocked: session.guardrailsBlocked };
    return { state: stateOf(session), progress: { ...counts, guardrailsInfo, dataMasking }, time };
  }
}

/** Milliseconds from the start of the session to its last event; 0 where there is none. */
async function lastTimeIn(db: EntityManager, { orgId, id, chunkCount }: Session): Promise<number> {
  const chunk = await db.findOneBy(SessionChunk, { orgId, sessionId: id, seq: chunkCount });
  const pieces = chunk === null ? [] : await decodePieces(chunk.payload);
  return pieces.at(-1)?.time ?? 0;
}

function gone(): AppError {
  return new AppError('forbidden', 'who asked for it may no longer act here');
}
