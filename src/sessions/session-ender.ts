import { Injectable, Logger } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type FindOptionsWhere, IsNull, Not, Repository } from 'typeorm';
import { Clock } from '../kernel/clock';
import { ReviewsService } from '../reviews/reviews.service';
import { RecordingStore } from './recording/recording-store';
import { Session } from './session.entity';

const AT_ONCE = 1_000;

/** Ends sessions that no gateway runs. Any number of gateways may try at once: one of them does it. */
@Injectable()
export class SessionEnder {
  private readonly log = new Logger(SessionEnder.name);

  constructor(
    @InjectRepository(Session) private readonly sessions: Repository<Session>,
    private readonly store: RecordingStore,
    private readonly reviews: ReviewsService,
    private readonly clock: Clock,
  ) {}

  /** Returns the ids of those it ended. `which` still has to hold when a session is ended, not only when it is found. */
  async end(which: FindOptionsWhere<Session>, reason: string): Promise<string[]> {
    const ended: string[] = [];
    const unfinished = await this.sessions.find({
      select: { id: true, orgId: true },
      where: { ...which, status: Not('done') },
    });
    for (const { orgId, id } of unfinished) {
      if (!(await this.store.close({ ...which, orgId, id }, reason, this.clock.now()))) continue;
      this.log.warn(`Session ${id} was ended: ${reason}`);
      ended.push(id);
    }
    return ended;
  }

  /** Ends those that somebody asked to be ended while no gateway runs them: they wait for a review, or for their turn. */
  async endStopped(which: { orgId: string; id?: string }): Promise<void> {
    const stopped = await this.sessions.find({
      select: { id: true, orgId: true, stopReason: true },
      where: { ...which, status: Not('done'), gatewayId: IsNull(), stopReason: Not(IsNull()) },
      take: AT_ONCE,
    });
    for (const { orgId, id, stopReason } of stopped) {
      const ended = await this.end({ orgId, id, gatewayId: IsNull() }, stopReason ?? '');
      if (ended.length > 0) await this.reviews.withdraw(orgId, id);
    }
  }
}
