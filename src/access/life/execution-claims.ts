import { Injectable, Logger } from '@nestjs/common';
import { type PendingExecution, PendingExecutions } from '../../gate/ports/pending-executions';
import type { SessionTrail } from '../../gate/ports/session-recorder';
import type { Target } from '../../gate/ports/target-directory';
import { AppError, messageOf } from '../../kernel/app-error';
import type { Principal } from '../../kernel/principal';
import { JournalingSessionRecorder } from '../../sessions/recording/journaling-session-recorder';
import { ReviewExecutions } from '../../approvals/reviews/decisions/review-executions';
import { PendingSessions } from '../../sessions/list/pending-sessions';
import { VisibleSessions, isOwner } from '../../sessions/list/visible-sessions';
import { Requesters } from './requesters';

/** Claims an approved script for its one run. */
@Injectable()
export class ExecutionClaims extends PendingExecutions {
  private readonly log = new Logger(ExecutionClaims.name);

  constructor(
    private readonly sessions: VisibleSessions,
    private readonly pendingSessions: PendingSessions,
    private readonly executions: ReviewExecutions,
    private readonly requesters: Requesters,
    private readonly recorder: JournalingSessionRecorder,
  ) {
    super();
  }

  async find(actor: Principal, sessionId: string): Promise<PendingExecution> {
    const { session, review } = await this.sessions.find(actor, sessionId);
    if (actor.role !== 'admin' && !isOwner(actor, session))
      throw new AppError('forbidden', 'only the requester or an admin may run this');
    if (review === null)
      throw new AppError('conflict', 'this session has no review, so there is no approved script to run');
    const { orgId, id, connectionId, connectionName, script } = session;
    if (script === null) throw new AppError('conflict', 'this session has no script to run');
    const requester = await this.requesters.ofSession(orgId, id);
    return { orgId, id, reviewId: review.id, requester, connectionId, connectionName, script };
  }

  requireUsable({ orgId, id }: PendingExecution, inputHash: Buffer): Promise<void> {
    return this.executions.requireUsable({ orgId, id }, inputHash);
  }

  /**
   * Claims the review and its session in one transaction. Claims the review first, because all code locks
   * reviews before sessions. If the session cannot be claimed, the approval stays unused.
   */
  async claim(pending: PendingExecution, target: Target, inputHash: Buffer): Promise<SessionTrail> {
    const { orgId, id, requester } = pending;
    const key = { orgId, id };
    const begun = await this.executions.claimWith(key, inputHash, (db) =>
      this.pendingSessions.claim(db, key),
    );
    const over = (): Promise<void> =>
      this.executions.executed(orgId, id).catch((error: unknown) => {
        this.log.warn(`The reaper will close the review of session ${id}: ${messageOf(error)}`);
      });
    return this.recorder.resume(key, requester, target, begun, over);
  }
}
