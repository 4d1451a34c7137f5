import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import type { Change } from '../../platform/http/routes/change';
import { AppError } from '../../kernel/app-error';
import { Clock } from '../../kernel/async/clock';
import { inTransaction } from '../ledger/ledger-database';
import { SessionLedger } from '../ledger/session-ledger';
import { holdOf } from './session-head';
import type { SessionHoldBody } from './session-hold.dto';
import { SessionRow } from '../recording/session.entity';
import { mustExist } from '../format/no-session';

/** Sets and releases legal holds. Retention does not remove recordings under hold. */
@Injectable()
export class SessionHoldService {
  constructor(
    @InjectRepository(SessionRow) private readonly sessions: Repository<SessionRow>,
    private readonly clock: Clock,
    private readonly ledger: SessionLedger,
  ) {}

  /**
   * Puts the session under hold, or releases it. Idempotent: a second hold keeps the start and the person of
   * the first hold, and replaces its reason.
   * @throws AppError `not_found`; `conflict` when the recording to hold was already removed
   */
  async set(change: Change, id: string, { held, reason }: SessionHoldBody): Promise<void> {
    const { actor } = change;
    const key = { orgId: actor.orgId, id };
    await this.sessions.manager.transaction(async (db) => {
      const found = await db.findOne(SessionRow, {
        select: { id: true, heldAt: true, heldBy: true, holdReason: true, recordingPurgedAt: true },
        where: key,
        // A concurrent purge waits for this lock, or has already removed the recording.
        lock: { mode: 'for_no_key_update' },
      });
      const session = mustExist(found);
      // The answer 204 promises that the recording is kept, so a removed recording is refused.
      if (held) mustBeHoldable(session);
      const before = holdOf(session);
      Object.assign(session, {
        heldAt: held ? (session.heldAt ?? new Date(this.clock.now())) : null,
        heldBy: held ? (session.heldBy ?? (actor.email || actor.subject)) : null,
        holdReason: held ? (reason ?? null) : null,
      });
      const { heldAt, heldBy, holdReason } = session;
      await db.update(SessionRow, key, { heldAt, heldBy, holdReason });
      await this.ledger.changed(inTransaction(db), key, 'hold');
      const why = held || !reason ? {} : { release_reason: reason };
      await change.record(db, {
        type: 'sessions',
        id,
        action: 'update',
        before: { hold: before },
        after: { hold: holdOf(session), ...why },
      });
    });
  }
}

function mustBeHoldable({ recordingPurgedAt }: SessionRow): void {
  if (recordingPurgedAt === null) return;
  const when = recordingPurgedAt.toISOString();
  throw new AppError(
    'conflict',
    `there is nothing left to hold: the recording was removed at ${when}, after its retention`,
  );
}
