import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { ReviewView } from '../../approvals/reviews/requests/review.dto';
import { ReviewsService } from '../../approvals/reviews/requests/reviews.service';
import type { SessionKey } from '../recording/session.entity';
import { type LedgerDatabase, inTransaction } from './ledger-database';
import { type LedgerEntry, isState } from './ledger-entry';
import { type NewEntry, SessionLedger } from './session-ledger';
import { approvalIn } from './sealed-approval';
import type { SessionFacts } from './session-facts';

/**
 * Maximum number of queued sessions in one transaction. It is limited, because each entry needs a signature.
 */
const BATCH = 64;

const NEXT = `SELECT id, session_id, is_adopted FROM session_ledger_queue WHERE org_id = $1 ORDER BY id LIMIT ${BATCH}`;

interface Queued {
  id: string;
  session_id: string;
  is_adopted: boolean;
}

/**
 * Writes ledger entries for sessions that began, ended or grew. Takes the sessions from a queue, and removes
 * them from the queue in the transaction that writes the entries.
 */
@Injectable()
export class LedgerWriter {
  constructor(
    private readonly database: DataSource,
    private readonly ledger: SessionLedger,
    private readonly reviews: ReviewsService,
  ) {}

  /** Seals the session's current state now, if the session is in the queue. */
  async catchUp({ orgId, id }: SessionKey): Promise<void> {
    const [waiting] = await this.database.query<object[]>(
      'SELECT FROM session_ledger_queue WHERE session_id = $1 LIMIT 1',
      [id],
    );
    if (waiting === undefined) return;
    await this.prepare(inTransaction(this.database.manager), [id]);
    await this.database.transaction(async (manager) => {
      const db = inTransaction(manager);
      await this.ledger.lock(db, orgId);
      await this.writeOf(db, orgId, [id]);
    });
  }

  /**
   * Adds a salt for digests to sessions that began before the ledger existed. Must be called before the
   * ledger is locked, because this method locks rows of sessions.
   */
  async prepare(db: LedgerDatabase, ids: readonly string[]): Promise<void> {
    await db.query(
      `UPDATE sessions SET content_salt = uuid_send(gen_random_uuid()) WHERE id = ANY (ARRAY(
         SELECT session.id FROM session_ledger_queue AS queued JOIN sessions AS session ON session.id = queued.session_id
         WHERE queued.session_id = ANY ($1::uuid[]) AND queued.is_adopted
           AND session.content_salt IS NULL AND session.recording_purged_at IS NULL
         ORDER BY session.id FOR NO KEY UPDATE OF session))`,
      [ids],
    );
  }

  /**
   * Seals the current state of the given sessions if they are queued, in the caller's transaction. The caller
   * holds the lock of the ledger.
   */
  async writeOf(db: LedgerDatabase, orgId: string, ids: readonly string[]): Promise<void> {
    const queued = await db.query<Queued>(
      'SELECT id, session_id, is_adopted FROM session_ledger_queue WHERE org_id = $1 AND session_id = ANY ($2::uuid[])',
      [orgId, ids],
    );
    await this.write(db, orgId, queued);
  }

  /**
   * Seals the next sessions in the queue. Returns whether more sessions may be queued; false if another
   * gateway has the lock of the ledger.
   */
  async writeBatch(orgId: string): Promise<boolean> {
    const waiting = await this.database.query<Queued[]>(NEXT, [orgId]);
    if (waiting.length === 0) return false;
    const adopted = waiting.filter((it) => it.is_adopted).map((it) => it.session_id);
    if (adopted.length > 0) await this.prepare(inTransaction(this.database.manager), adopted);
    return this.database.transaction(async (manager) => {
      const db = inTransaction(manager);
      if (!(await this.ledger.tryLock(db, orgId))) return false;
      const queued = await db.query<Queued>(NEXT, [orgId]);
      await this.write(db, orgId, queued);
      return queued.length === BATCH;
    });
  }

  private async write(db: LedgerDatabase, orgId: string, queued: readonly Queued[]): Promise<void> {
    if (queued.length === 0) return;
    const adopted = new Set(queued.filter((it) => it.is_adopted).map((it) => it.session_id));
    const all = [...new Set(queued.map((it) => it.session_id))];
    const facts = await this.ledger.facts.read(db, orgId, all);
    // A session that was queued after `prepare` has no salt yet, so it stays in the queue.
    const ids = all.filter((id) => !adopted.has(id) || isPrepared(facts.get(id)));
    const known = await this.ledger.entriesOf(db, orgId, ids);
    const reviews = await this.reviews.ofSessions(orgId, [...facts.values()], db.manager);
    const entries: NewEntry[] = [];
    for (const id of ids) {
      const row = facts.get(id);
      const before = known.get(id) ?? [];
      if (row === undefined || !before.some(isState))
        entries.push(...this.next(id, row, before, adopted.has(id), reviews.get(id)));
    }
    entries.push(...(await this.ledger.growth(db, orgId, ids, facts, known)));
    await this.ledger.append(db, orgId, entries);
    await db.query('DELETE FROM session_ledger_queue WHERE id = ANY ($1::bigint[])', [
      queued.filter((it) => ids.includes(it.session_id)).map((it) => it.id),
    ]);
  }

  private next(
    sessionId: string,
    row: SessionFacts | undefined,
    before: readonly LedgerEntry[],
    isAdopted: boolean,
    review: ReviewView | undefined,
  ): NewEntry[] {
    if (row === undefined) {
      const isTold = before.some(({ kind }) => kind === 'missing');
      return isTold ? [] : [{ sessionId, kind: 'missing', said: { session: {}, content: {} } }];
    }
    if (!row.isOver) {
      if (before.length > 0) return [];
      const { script = null } = row.content;
      return [{ sessionId, kind: 'opened', said: { session: row.start, content: { script } } }];
    }
    const said = {
      session: row.whole,
      content: row.content,
      seal: this.ledger.sealFound(row),
      review: review === undefined ? null : approvalIn(review),
    };
    return [{ sessionId, kind: isAdopted ? 'adopted' : 'closed', said }];
  }
}

function isPrepared(row: SessionFacts | undefined): boolean {
  if (row === undefined || row.whole['recording_purged_at'] !== null) return true;
  return (row.content['guardrails_info'] ?? null) !== null;
}
