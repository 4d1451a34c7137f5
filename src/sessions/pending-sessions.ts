import { Injectable } from '@nestjs/common';
import { type EntityManager, IsNull } from 'typeorm';
import { ChangeFeed } from '../database/change-feed';
import { AppError } from '../kernel/app-error';
import { Clock } from '../kernel/clock';
import type { Begun } from '../recording/event-ways';
import { RecordingStore, stateOf } from '../recording/recording-store';
import { Session, SessionChunk, type SessionKey } from '../recording/session.entity';
import { decodePieces } from '../recording-format/event-codec';

/** Sessions that wait for a review: they go on, are closed, or are claimed for their one run, in the caller's transaction. */
@Injectable()
export class PendingSessions {
  constructor(
    private readonly store: RecordingStore,
    private readonly feed: ChangeFeed,
    private readonly clock: Clock,
  ) {}

  /** It may be run. @throws AppError `conflict` when it is over, or its gateway still records what was asked for. */
  async ready(db: EntityManager, session: SessionKey): Promise<void> {
    if (!(await isWaiting(db, session))) throw new AppError('conflict', 'the session is over already');
    await db.update(Session, keyOf(session), { status: 'ready' });
  }

  /**
   * It will not be run: `done`, its recording closed with that reason. One that is over stays as it is.
   * @throws AppError `conflict` while its gateway still records what was asked for.
   */
  async close(db: EntityManager, session: SessionKey, reason: string): Promise<void> {
    if (!(await isWaiting(db, session))) return;
    await this.store.closeIn(db, { ...keyOf(session), gatewayId: IsNull() }, reason, this.clock.now());
  }

  /**
   * From now on this gateway runs it. It starts when it runs (specification, section 2.4), less the time that its events took
   * until it waited, so that those which come now come after them. Returns where its recording continues.
   * @throws AppError `conflict` when it is over, or is being ended.
   */
  async claim(db: EntityManager, { orgId, id }: SessionKey): Promise<Begun> {
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

/**
 * Whether it waits; it is locked from here on. One that somebody asked to be ended is as good as over.
 * @throws AppError `conflict` while its gateway still records what was asked for.
 */
async function isWaiting(db: EntityManager, session: SessionKey): Promise<boolean> {
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

/** Milliseconds from the start of the session to its last event; 0 where there is none. */
async function lastTimeIn(db: EntityManager, { orgId, id, chunkCount }: Session): Promise<number> {
  const chunk = await db.findOneBy(SessionChunk, { orgId, sessionId: id, seq: chunkCount });
  const pieces = chunk === null ? [] : await decodePieces(chunk.payload);
  return pieces.at(-1)?.time ?? 0;
}

function keyOf({ orgId, id }: SessionKey): SessionKey {
  return { orgId, id };
}
