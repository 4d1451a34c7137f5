import { Injectable } from '@nestjs/common';
import { type EntityManager, IsNull } from 'typeorm';
import { ChangeFeed } from '../../platform/database/feed/change-feed';
import { AppError } from '../../kernel/app-error';
import { Clock } from '../../kernel/async/clock';
import type { ResumeState } from '../recording/event-writer';
import { RecordingStore, stateOf } from '../recording/recording-store';
import { SessionRow, SessionChunk, type SessionKey } from '../recording/session.entity';
import { decodePieces } from '../format/event-codec';

/**
 * Changes sessions that wait for a review, in the caller's transaction: marks them ready to run, closes them,
 * or claims them for their one execution.
 */
@Injectable()
export class PendingSessions {
  constructor(
    private readonly store: RecordingStore,
    private readonly feed: ChangeFeed,
    private readonly clock: Clock,
  ) {}

  /**
   * Marks a session as ready to run.
   * @throws AppError `conflict` when it is over, or a gateway still records the script that was requested.
   */
  async ready(db: EntityManager, session: SessionKey): Promise<void> {
    if (!(await isWaiting(db, session))) throw new AppError('conflict', 'the session is already over');
    await db.update(SessionRow, keyOf(session), { status: 'ready' });
  }

  /**
   * Closes a session, so that it will not run. The reason becomes the last event of its recording.
   * Idempotent.
   * @throws AppError `conflict` while a gateway still records the script that was requested.
   */
  async close(db: EntityManager, session: SessionKey, reason: string): Promise<void> {
    if (!(await isWaiting(db, session))) return;
    await this.store.closeIn(db, { ...keyOf(session), gatewayId: IsNull() }, reason, this.clock.now());
  }

  /**
   * Claims a session for this gateway. Its start becomes the time of its execution (specification, section
   * 2.4), minus the offset of its last event, so that new events follow the earlier ones.
   * @returns where its recording continues
   * @throws AppError `conflict` when it is over, or is being ended.
   */
  async claim(db: EntityManager, { orgId, id }: SessionKey): Promise<ResumeState> {
    const waiting = { orgId, id, status: 'ready', gatewayId: IsNull(), stopReason: IsNull() } as const;
    const session = await db.findOne(SessionRow, { where: waiting, lock: { mode: 'for_no_key_update' } });
    if (session === null) throw new AppError('conflict', 'the session is over, or is being ended');
    const time = await lastTimeIn(db, session);
    await db
      .createQueryBuilder()
      .update(SessionRow)
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

/**
 * Locks a session. Returns whether it waits for a review or its execution; false after a stop request.
 * @throws AppError `conflict` while a gateway still records the script that was requested.
 */
async function isWaiting(db: EntityManager, session: SessionKey): Promise<boolean> {
  const row = await db.findOneOrFail(SessionRow, {
    select: { id: true, status: true, gatewayId: true, stopReason: true },
    where: keyOf(session),
    lock: { mode: 'for_no_key_update' },
  });
  if (row.status === 'done' || row.stopReason !== null) return false;
  if (row.gatewayId !== null)
    throw new AppError('conflict', 'the request is still being recorded; try again in a moment');
  return true;
}

/** Returns the milliseconds from the start of a session to its last event; 0 if it has no event. */
async function lastTimeIn(db: EntityManager, { orgId, id, chunkCount }: SessionRow): Promise<number> {
  const chunk = await db.findOneBy(SessionChunk, { orgId, sessionId: id, seq: chunkCount });
  const pieces = chunk === null ? [] : await decodePieces(chunk.payload);
  return pieces.at(-1)?.time ?? 0;
}

function keyOf({ orgId, id }: SessionKey): SessionKey {
  return { orgId, id };
}
