import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { OrganizationsService } from '../auth/organizations.service';
import { messageOf } from '../kernel/app-error';
import type { ReviewView } from '../reviews/review.dto';
import { ReviewsService } from '../reviews/reviews.service';
import { RecordingSeal } from '../recording-format/chain';
import type { SessionKey } from '../recording/session.entity';
import { LedgerAnchors } from './ledger-anchors';
import { type LedgerDatabase, inTransaction } from './ledger-database';
import { type LedgerEntry, type SealFound, type Values, isState, saidIn } from './ledger-entry';
import { type NewEntry, SessionLedger } from './session-ledger';
import type { SessionFacts } from './session-facts';

const EVERY_MS = 1_000;
/** What ends here waits for company no longer. */
const SOON_MS = 100;
/** So that a signature for each of them is no burden. */
const AT_ONCE = 64;

const NEXT = `SELECT id, session_id, is_adopted FROM session_ledger_queue WHERE org_id = $1 ORDER BY id LIMIT ${AT_ONCE}`;

interface Queued {
  id: string;
  session_id: string;
  is_adopted: boolean;
}

/**
 * Writes the entries of sessions that began, ended or grew: a batch a second, or as many as there are, by whichever
 * gateway has the lock. Who dies in between leaves the queue as it was.
 */
@Injectable()
export class LedgerWriter implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly log = new Logger(LedgerWriter.name);
  private timer: NodeJS.Timeout | undefined;
  private soon: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private isStopping = false;
  private fault: string | undefined;

  constructor(
    private readonly database: DataSource,
    private readonly ledger: SessionLedger,
    private readonly anchors: LedgerAnchors,
    private readonly reviews: ReviewsService,
    private readonly seal: RecordingSeal,
    private readonly organizations: OrganizationsService,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.look(), EVERY_MS);
  }

  async onApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    clearInterval(this.timer);
    clearTimeout(this.soon);
    await this.running;
  }

  /** A session ended here: the less time until it is sealed, the less can be done to it before. */
  lookSoon(): void {
    if (this.isStopping) return;
    this.soon ??= setTimeout(() => {
      this.soon = undefined;
      void this.look();
    }, SOON_MS);
  }

  /** Seals this session as far as it got, now. */
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

  /** Gives sessions from before the ledger a salt. Changes their rows, and so comes before the lock of the ledger. */
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

  /** Seals these sessions as far as they got, in the caller's transaction. The caller holds the lock. */
  async writeOf(db: LedgerDatabase, orgId: string, ids: readonly string[]): Promise<void> {
    const queued = await db.query<Queued>(
      'SELECT id, session_id, is_adopted FROM session_ledger_queue WHERE org_id = $1 AND session_id = ANY ($2::uuid[])',
      [orgId, ids],
    );
    await this.write(db, orgId, queued);
  }

  /** One look at a time. */
  look(): Promise<void> {
    this.running ??= this.writeAll()
      .then(() => (this.fault = undefined))
      .catch((error: unknown) => this.tell(messageOf(error)))
      .then(() => (this.running = undefined));
    return this.running;
  }

  private tell(fault: string): void {
    if (fault !== this.fault) this.log.warn(`Sessions could not be sealed: ${fault}`);
    this.fault = fault;
  }

  private async writeAll(): Promise<void> {
    const { id: orgId } = await this.organizations.defaultOrganization();
    let isMore = true;
    while (isMore && !this.isStopping) isMore = await this.writeBatch(orgId);
    await this.anchors.anchorNowAndThen(orgId);
  }

  /** Returns whether there may be more. */
  private async writeBatch(orgId: string): Promise<boolean> {
    const waiting = await this.database.query<Queued[]>(NEXT, [orgId]);
    if (waiting.length === 0) return false;
    const adopted = waiting.filter((it) => it.is_adopted).map((it) => it.session_id);
    if (adopted.length > 0) await this.prepare(inTransaction(this.database.manager), adopted);
    return this.database.transaction(async (manager) => {
      const db = inTransaction(manager);
      if (!(await this.ledger.tryLock(db, orgId))) return false;
      const queued = await db.query<Queued>(NEXT, [orgId]);
      await this.write(db, orgId, queued);
      return queued.length === AT_ONCE;
    });
  }

  private async write(db: LedgerDatabase, orgId: string, queued: readonly Queued[]): Promise<void> {
    if (queued.length === 0) return;
    const adopted = new Set(queued.filter((it) => it.is_adopted).map((it) => it.session_id));
    const all = [...new Set(queued.map((it) => it.session_id))];
    const facts = await this.ledger.facts.read(db, orgId, all);
    // Who came in between was not prepared: it stays in the queue.
    const ids = all.filter((id) => !adopted.has(id) || isPrepared(facts.get(id)));
    const known = await this.ledger.entriesOf(db, orgId, ids);
    const reviews = await this.reviews.ofSessions(orgId, [...facts.values()], db.manager);
    const entries: NewEntry[] = [];
    const grown: string[] = [];
    for (const id of ids) {
      const row = facts.get(id);
      const before = known.get(id) ?? [];
      if (row !== undefined && before.some(isState)) {
        if (this.hasGrown(row, before)) grown.push(id);
      } else {
        entries.push(...this.next(id, row, before, adopted.has(id), reviews.get(id)));
      }
    }
    entries.push(...(await this.ledger.changes(db, orgId, grown, 'grown')));
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
      seal: this.sealFound(row),
      review: review === undefined ? null : approvalIn(review),
    };
    return [{ sessionId, kind: isAdopted ? 'adopted' : 'closed', said }];
  }

  /** Only what the seal of the recording vouches for: whoever edits a row can note it in the queue, too. */
  private hasGrown(row: SessionFacts, before: readonly LedgerEntry[]): boolean {
    const last = before.findLast(isState);
    const known = last === undefined ? 0 : Number(saidIn(last).session['chunk_count']);
    return row.end.chunkCount > known && this.sealFound(row) === 'fits';
  }

  private sealFound({ seal, end }: SessionFacts): SealFound {
    return seal === null ? 'absent' : this.seal.check(seal, end).state;
  }
}

function isPrepared(row: SessionFacts | undefined): boolean {
  if (row === undefined || row.whole['recording_purged_at'] !== null) return true;
  return (row.content['guardrails_info'] ?? null) !== null;
}

/**
 * What of a review does not change any more once its session is over: what was asked for, and who said what. Its
 * status goes on (an approval that was used is revoked, or expires); people's changes of it are on the audit log.
 */
export function approvalIn(review: ReviewView): Values {
  const { id, type, access_duration, access_request_rule_name, min_approvals, force_approval_groups } =
    review;
  const votes = review.review_groups_data
    .filter(({ reviewed_by }) => reviewed_by !== null)
    .map(({ group, status, forced_review, review_date, reviewed_by }) => ({
      group,
      status,
      forced_review,
      review_date,
      reviewed_by,
    }));
  const asked = { access_duration, access_request_rule_name, min_approvals, force_approval_groups };
  const { created_at, time_window } = review;
  return JSON.parse(JSON.stringify({ id, type, ...asked, created_at, time_window, votes })) as Values;
}
