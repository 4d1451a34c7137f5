import { Injectable, Logger } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type FindOptionsWhere, IsNull, Not, Repository } from 'typeorm';
import { DomainEvents } from '../../platform/database/feed/domain-events';
import type { EventPerson } from '../../platform/events/event';
import { Clock } from '../../kernel/async/clock';
import { RecordingStore } from '../recording/recording-store';
import { SessionRow, type SessionKey } from '../recording/session.entity';
import { sessionClosed, sessionClosing } from './session-closing';

const BATCH = 1_000;

/**
 * Ends sessions that no gateway runs. Several gateways may try in parallel; one of them succeeds. The module
 * `access` ends their reviews in the same transaction.
 */
@Injectable()
export class SessionEnder {
  private readonly log = new Logger(SessionEnder.name);

  constructor(
    @InjectRepository(SessionRow) private readonly sessions: Repository<SessionRow>,
    private readonly store: RecordingStore,
    private readonly events: DomainEvents,
    private readonly clock: Clock,
  ) {}

  /**
   * Ends the sessions that match `which`.
   * @param which Condition; checked again when a session is locked, because the session may have changed.
   * @param by Person who requested the end; absent if the gateway does it by itself.
   * @returns the ids of the sessions that it ended
   */
  async end(which: FindOptionsWhere<SessionRow>, reason: string, by?: EventPerson): Promise<string[]> {
    const ended: string[] = [];
    const unfinished = await this.sessions.find({
      select: { id: true, orgId: true },
      where: { ...which, status: Not('done') },
    });
    for (const { orgId, id } of unfinished) {
      if (!(await this.endOne({ ...which, orgId, id }, reason, by))) continue;
      this.log.warn(`Session ${id} was ended: ${reason}`);
      ended.push(id);
    }
    return ended;
  }

  /**
   * Ends sessions that have a stop request and that no gateway runs, because they wait for a review or for
   * their execution.
   */
  async endStopped(which: { orgId: string; id?: string }): Promise<void> {
    const stopped = await this.sessions.find({
      select: { id: true, orgId: true, stopReason: true, stoppedBy: true },
      where: { ...which, status: Not('done'), gatewayId: IsNull(), stopReason: Not(IsNull()) },
      take: BATCH,
    });
    for (const { orgId, id, stopReason, stoppedBy } of stopped) {
      await this.end({ orgId, id, gatewayId: IsNull() }, stopReason ?? '', stoppedBy ?? undefined);
    }
  }

  private endOne(
    which: FindOptionsWhere<SessionRow> & SessionKey,
    reason: string,
    by: EventPerson | undefined,
  ): Promise<boolean> {
    const { orgId, id } = which;
    return this.sessions.manager.transaction(async (db) => {
      await this.events.publish(db, sessionClosing, { orgId, id });
      // Another gateway may have ended the session and its review.
      if (!(await this.store.closeIn(db, which, reason, this.clock.now()))) return false;
      await this.events.publish(db, sessionClosed, { orgId, id, reason, by });
      return true;
    });
  }
}
