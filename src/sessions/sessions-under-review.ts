import { Injectable } from '@nestjs/common';
import { type EntityManager, IsNull } from 'typeorm';
import { AppError } from '../kernel/app-error';
import { Clock } from '../kernel/clock';
import { type ReviewedSession, ReviewedSessions } from '../reviews/reviewed-work';
import { RecordingStore } from '../recording/recording-store';
import { Session } from '../recording/session.entity';

/** Lets sessions that wait for a review go on, or closes them, together with the decision. */
@Injectable()
export class SessionsUnderReview extends ReviewedSessions {
  constructor(
    private readonly store: RecordingStore,
    private readonly clock: Clock,
  ) {
    super();
  }

  async ready(db: EntityManager, session: ReviewedSession): Promise<void> {
    if (!(await isWaiting(db, session))) throw new AppError('conflict', 'the session is over already');
    await db.update(Session, keyOf(session), { status: 'ready' });
  }

  async end(db: EntityManager, session: ReviewedSession, reason: string): Promise<void> {
    if (!(await isWaiting(db, session))) return;
    await this.store.closeIn(db, { ...keyOf(session), gatewayId: IsNull() }, reason, this.clock.now());
  }
}

/**
 * Whether it waits; it is locked from here on. One that somebody asked to be ended is as good as over.
 * @throws AppError `conflict` while its gateway still records what was asked for.
 */
async function isWaiting(db: EntityManager, session: ReviewedSession): Promise<boolean> {
  const row = await db.findOneOrFail(Session, {
    select: { id: true, status: true, gatewayId: true, stopReason: true },
    where: keyOf(session),
    lock: { mode: 'for_no_key_update' },
  });
  if (row.status === 'done' || row.stopReason !== null) return false;
  if (row.gatewayId !== null)
    throw new AppError('conflict', 'the request is still being recorded; try again in a moment');
  return true;
}

function keyOf({ orgId, id }: ReviewedSession): ReviewedSession {
  return { orgId, id };
}
