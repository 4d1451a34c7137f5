import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, Repository } from 'typeorm';
import { personOf } from '../../platform/events/event';
import type { Change } from '../../platform/http/routes/change';
import { METADATA_RULE, isMetadata } from '../../platform/http/dto/metadata-field';
import { AppError } from '../../kernel/app-error';
import type { Principal } from '../../kernel/principal';
import { inTransaction } from '../ledger/ledger-database';
import { SessionLedger } from '../ledger/session-ledger';
import { SessionEnder } from './session-ender';
import { SessionRow } from '../recording/session.entity';
import { VisibleSessions, isOwner } from './visible-sessions';
import { mustExist } from '../format/no-session';

const TYPE = 'sessions';
/** Maximum wait for the end of a session. A gateway has 2 s to end it; after the wait, the answer is 202. */
const ENDS_WITHIN_MS = 3_000;
const POLL_EVERY_MS = 50;

type Metadata = Readonly<Record<string, unknown>>;

/** Ends sessions and changes their metadata. Only the owner of a session or an admin may do this. */
@Injectable()
export class SessionControlService {
  constructor(
    @InjectRepository(SessionRow) private readonly stored: Repository<SessionRow>,
    private readonly sessions: VisibleSessions,
    private readonly ender: SessionEnder,
    private readonly ledger: SessionLedger,
  ) {}

  /**
   * Requests the end of a session, on whichever gateway it runs, and waits for the end. The recording names
   * the first requester.
   * @returns whether the session is over; false: it is still being ended
   * @throws AppError `not_found`, `forbidden`; `conflict` when the session is already over.
   */
  async kill(change: Change, id: string): Promise<boolean> {
    const { actor } = change;
    const before = await this.findOwned(actor, id);
    await this.stored.manager.transaction(async (db) => {
      const { affected } = await db
        .createQueryBuilder()
        .update(SessionRow)
        .set({
          stopReason: () => 'coalesce(stop_reason, :reason)',
          stoppedBy: () => 'CASE WHEN stop_reason IS NULL THEN :by::jsonb ELSE stopped_by END',
        })
        .setParameters({
          reason: `The session was ended by ${actor.email || actor.subject}.`,
          by: JSON.stringify(personOf(actor)),
        })
        .where({ orgId: actor.orgId, id, status: In(['open', 'ready']) })
        .execute();
      if (affected === 0) throw new AppError('conflict', 'the session is already over');
      const after = await db.findOneOrFail(SessionRow, {
        select: { id: true, stopReason: true },
        where: { orgId: actor.orgId, id },
      });
      await change.record(db, {
        type: TYPE,
        id,
        action: 'execute',
        before: { stop_reason: before.stopReason },
        after: { stop_reason: after.stopReason },
      });
    });
    return this.waitForEnd(actor.orgId, id);
  }

  /**
   * Applies a JSON merge patch (RFC 7396) to the top level of the metadata: null removes a key, any other
   * value replaces the old one as a whole.
   * @throws AppError `not_found`, `forbidden`; `unprocessable` when the result breaks the limits of metadata.
   */
  async patchMetadata(change: Change, id: string, patch: Metadata): Promise<void> {
    const { orgId } = await this.findOwned(change.actor, id);
    await this.stored.manager.transaction(async (db) => {
      const found = await db.findOne(SessionRow, {
        select: { id: true, metadata: true },
        where: { orgId, id },
        lock: { mode: 'for_no_key_update' },
      });
      const session = mustExist(found);
      const metadata = merged(session.metadata, patch);
      if (!isMetadata(metadata)) throw new AppError('unprocessable', `metadata must have ${METADATA_RULE}`);
      await db.update(SessionRow, { orgId, id }, { metadata: metadata as never });
      await this.ledger.changed(inTransaction(db), { orgId, id }, 'metadata');
      await change.record(db, {
        type: TYPE,
        id,
        action: 'update',
        before: { metadata: among(session.metadata, patch) },
        after: { metadata: among(metadata, patch) },
      });
    });
  }

  private async findOwned(actor: Principal, id: string): Promise<SessionRow> {
    const { session } = await this.sessions.find(actor, id);
    if (actor.role !== 'admin' && !isOwner(actor, session))
      throw new AppError('forbidden', 'only the owner of a session or an admin may do this');
    return session;
  }

  private async waitForEnd(orgId: string, id: string): Promise<boolean> {
    const deadline = performance.now() + ENDS_WITHIN_MS;
    for (;;) {
      const found = await this.stored.findOne({
        select: { id: true, status: true, gatewayId: true },
        where: { orgId, id },
      });
      const { status, gatewayId } = mustExist(found);
      if (status === 'done') return true;
      if (performance.now() > deadline) return false;
      if (gatewayId === null) await this.ender.endStopped({ orgId, id });
      else await delay(POLL_EVERY_MS);
    }
  }
}

function merged(metadata: Metadata, patch: Metadata): Metadata {
  const kept = Object.entries(metadata).filter(([key]) => !Object.hasOwn(patch, key));
  const set = Object.entries(patch).filter(([, value]) => value !== null);
  return Object.fromEntries([...kept, ...set]);
}

/** Returns only the keys of the patch, because unchanged keys would make the audit log longer. */
function among(metadata: Metadata, patch: Metadata): Metadata {
  return Object.fromEntries(Object.entries(metadata).filter(([key]) => Object.hasOwn(patch, key)));
}
