import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, type FindOptionsWhere, Not, Repository } from 'typeorm';
import { EXIT_BLOCKED } from '../gate/ports/session-recorder';
import { chunkHash } from './recording/chain';
import { type SessionEvent, encodePieces } from './recording/event-codec';
import {
  type DataMasking,
  type GuardrailInfo,
  Session,
  SessionChunk,
  type SessionKey,
} from './session.entity';

const UNFINISHED = Not('done' as const);

/** What a session's row learns from the gateway that runs it, along with a chunk of events or at its end. */
export interface Progress {
  readonly received: number;
  readonly checked: number;
  readonly blocked: number;
  readonly guardrailsInfo: readonly GuardrailInfo[];
  readonly dataMasking: DataMasking;
}

/** Writes and reads recordings. A chunk and the counters of its session are written together or not at all. */
@Injectable()
export class RecordingsRepository {
  constructor(@InjectRepository(Session) private readonly sessions: Repository<Session>) {}

  /** Appends events to a running session. Returns false when the session is over: nothing was written. */
  async append(session: SessionKey, events: readonly SessionEvent[], progress?: Progress): Promise<boolean> {
    return this.sessions.manager.transaction((db) => this.appendIn(db, session, events, progress));
  }

  /** `open` or `ready` → `done`, with an end date. Returns false when it was over already. */
  async finish(session: SessionKey, exitCode: number, db = this.sessions.manager): Promise<boolean> {
    const done = await db.update(
      Session,
      { orgId: session.orgId, id: session.id, status: UNFINISHED },
      { status: 'done', exitCode, endDate: () => 'now()', gatewayId: null },
    );
    return done.affected === 1;
  }

  /**
   * Ends the session that `which` names although no trail does: a last event says why. Event and end are written
   * together or not at all. Returns false when there is none that is unfinished: somebody else ended it.
   */
  async close(which: FindOptionsWhere<Session>, reason: string, now: number): Promise<boolean> {
    return this.sessions.manager.transaction(async (db) => {
      const session = await db.findOne(Session, {
        select: { id: true, orgId: true, startDate: true },
        where: { ...which, status: UNFINISHED },
        lock: { mode: 'for_no_key_update' },
      });
      // Locked from here on: no gateway takes the session to run it, and nobody else ends it.
      if (session === null) return false;
      const time = Math.max(now - session.startDate.getTime(), 0);
      await this.appendIn(db, session, [{ time, type: 'e', content: Buffer.from(`${reason}\n`) }]);
      return this.finish(session, EXIT_BLOCKED, db);
    });
  }

  /** A session without a running gateway: it waits for a review. */
  async release(session: SessionKey): Promise<void> {
    await this.sessions.update({ orgId: session.orgId, id: session.id, status: 'open' }, { gatewayId: null });
  }

  private async appendIn(
    db: EntityManager,
    session: SessionKey,
    events: readonly SessionEvent[],
    progress?: Progress,
  ): Promise<boolean> {
    const size = events.reduce((sum, event) => sum + event.content.length, 0);
    if (!(await this.progress(db, session, progress, events.length, size))) return false;
    if (events.length > 0) await this.insertChunk(db, session, events, size);
    return true;
  }

  private async progress(
    db: EntityManager,
    session: SessionKey,
    progress: Progress | undefined,
    stored: number,
    size: number,
  ): Promise<boolean> {
    const learned = progress && {
      eventsReceived: progress.received,
      guardrailsChecked: progress.checked,
      guardrailsBlocked: progress.blocked,
      guardrailsInfo: [...progress.guardrailsInfo],
      dataMasking: progress.dataMasking,
    };
    const updated = await db
      .createQueryBuilder()
      .update(Session)
      .set({
        eventsStored: () => 'events_stored + :stored',
        eventSize: () => 'event_size + :size',
        ...(learned ?? { eventsReceived: () => 'events_received + :stored' }),
      })
      .setParameters({ stored, size })
      .where({ orgId: session.orgId, id: session.id, status: UNFINISHED })
      .execute();
    return updated.affected === 1;
  }

  /** The session's row is locked by `progress`, so no two chunks take one number. */
  private async insertChunk(
    db: EntityManager,
    session: SessionKey,
    events: readonly SessionEvent[],
    rawSize: number,
  ): Promise<void> {
    const { chunkCount, chainHash: previous } = await db.findOneOrFail(Session, {
      select: { id: true, chunkCount: true, chainHash: true },
      where: { orgId: session.orgId, id: session.id },
    });
    const seq = chunkCount + 1;
    const payload = await encodePieces(events.map((event) => ({ ...event, ends: true })));
    const hash = chunkHash(previous, session.id, seq, payload);
    await db.insert(SessionChunk, {
      orgId: session.orgId,
      sessionId: session.id,
      seq,
      eventCount: events.length,
      rawSize,
      payload,
      previous,
      hash,
    });
    await db.update(Session, { orgId: session.orgId, id: session.id }, { chunkCount: seq, chainHash: hash });
  }
}
