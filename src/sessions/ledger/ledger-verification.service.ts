import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { type EvidenceKeys, PublishedKeys } from '../../platform/keys/published-keys';
import type { ReviewView } from '../../approvals/reviews/requests/review.dto';
import { ReviewsService } from '../../approvals/reviews/requests/reviews.service';
import { LedgerAnchors } from './ledger-anchors';
import { checkEntry, checkRow } from './ledger-check';
import { type LedgerDatabase, inTransaction } from './ledger-database';
import { type EntryRow, type LedgerEntry, NO_ENTRY, entryOf } from './ledger-entry';
import {
  type LedgerFaultView,
  type LedgerRangeQuery,
  type LedgerVerificationView,
  MAX_ENTRIES,
} from './ledger-verification.dto';
import { approvalIn } from './sealed-approval';
import type { SessionFacts } from './session-facts';
import { type LedgerHead, SessionLedger } from './session-ledger';

const AT_ONCE = 200;
const MAX_FAULTS = 100;
const MAX_ANCHORS = 10_000;

/** Findings about one session and its ledger entries, with the values that were compared. */
export interface SessionFindings {
  /** The session's row; undefined if it is missing. */
  readonly row: SessionFacts | undefined;
  readonly review: ReviewView | null;
  /** Faults as sentences. Empty: the row equals the sealed values. */
  readonly faults: readonly string[];
  /** Ids of keys that signed entries of the session, but are neither in `SECRET_KEY` nor published. */
  readonly unknownKeys: readonly string[];
  readonly entries: readonly LedgerEntry[];
  /** Whether the next entry of the session is not written yet. */
  readonly isQueued: boolean;
}

const NO_FINDINGS: SessionFindings = {
  row: undefined,
  review: null,
  faults: [],
  unknownKeys: [],
  entries: [],
  isQueued: false,
};

/**
 * Verifies the ledger: its links and signatures, the rows of the sessions, and the last entries that were
 * recorded on the audit log.
 */
@Injectable()
export class LedgerVerificationService {
  constructor(
    private readonly database: DataSource,
    private readonly ledger: SessionLedger,
    private readonly anchors: LedgerAnchors,
    private readonly keys: PublishedKeys,
    private readonly reviews: ReviewsService,
  ) {}

  /** Verifies the entries and the row of one session. `read` reads more from the same snapshot. */
  async sessionWith<T>(
    orgId: string,
    id: string,
    read: (findings: SessionFindings, manager: EntityManager) => Promise<T>,
  ): Promise<T> {
    const keys = await this.keys.load();
    return this.inOneSnapshot(async (db, manager) => {
      const found = (await this.findings(db, orgId, [id], keys)).get(id);
      return read(found ?? NO_FINDINGS, manager);
    });
  }

  /** Verifies a range of the ledger. At the end of the ledger, also checks that no session lacks an entry. */
  async range(orgId: string, { from, to }: LedgerRangeQuery): Promise<LedgerVerificationView> {
    const keys = await this.keys.load();
    const seen = this.ledger.seenOf(orgId);
    return this.inOneSnapshot(async (db, manager) => {
      const head = await this.ledger.head(db, orgId);
      const last = Math.min(to ?? head.seq, head.seq, from + MAX_ENTRIES - 1);
      const walk = new Walk(from);
      const before = await this.entries(db, orgId, from - 1, from - 1);
      walk.previous = from === 1 ? NO_ENTRY : before[0]?.hash;
      for (let at = from; at <= last; at += AT_ONCE) {
        const entries = await this.entries(db, orgId, at, Math.min(at + AT_ONCE - 1, last));
        for (const entry of entries) walk.link(entry);
        const ids = [...new Set(entries.map(({ sessionId }) => sessionId))];
        walk.sessions(entries, await this.findings(db, orgId, ids, keys));
      }
      walk.ends(last);
      const anchors = await this.anchors.heads(manager, orgId, MAX_ANCHORS);
      await this.compareHeads(db, orgId, walk, [...anchors, seen], head);
      const isEnd = last === head.seq && to === undefined;
      if (isEnd) await this.findUnsealed(db, orgId, walk);
      const isMore = last < Math.min(to ?? head.seq, head.seq);
      return {
        status: walk.faults.length > 0 ? 'broken' : walk.unknown.size > 0 ? 'unknown_key' : 'valid',
        from,
        to: Math.max(last, 0),
        next: isMore ? last + 1 : null,
        head: head.seq,
        head_hash: head.hash.toString('hex'),
        anchored: anchors[0]?.seq ?? null,
        waiting: await waiting(db, orgId),
        unknown_keys: [...walk.unknown],
        faults: walk.faults,
      };
    });
  }

  /** Reads rows and entries from one snapshot, because sessions change meanwhile. */
  private inOneSnapshot<T>(read: (db: LedgerDatabase, manager: EntityManager) => Promise<T>): Promise<T> {
    return this.database.transaction('REPEATABLE READ', (manager) => read(inTransaction(manager), manager));
  }

  private async entries(db: LedgerDatabase, orgId: string, from: number, to: number): Promise<LedgerEntry[]> {
    const rows = await db.query<EntryRow>(
      'SELECT * FROM session_ledger WHERE org_id = $1 AND seq BETWEEN $2 AND $3 ORDER BY seq',
      [orgId, from, to],
    );
    return rows.map(entryOf);
  }

  private async findings(
    db: LedgerDatabase,
    orgId: string,
    ids: readonly string[],
    keys: EvidenceKeys,
  ): Promise<Map<string, SessionFindings>> {
    const facts = await this.ledger.facts.read(db, orgId, ids);
    const known = await this.ledger.entriesOf(db, orgId, ids);
    const reviews = await this.reviews.ofSessions(orgId, [...facts.values()], db.manager);
    const queued = await queuedOf(db, ids);
    // Entries that are due, but not written yet, because a late journal added events to recordings. The rows
    // of these sessions are compared with them.
    const growth = await this.ledger.growth(db, orgId, [...queued], facts, known);
    const due = new Map(
      growth.map(({ sessionId, kind, said }) => [sessionId, { kind, said: JSON.stringify(said) }]),
    );
    const found = new Map<string, SessionFindings>();
    for (const id of ids) {
      const entries = known.get(id) ?? [];
      const row = facts.get(id);
      const review = reviews.get(id) ?? null;
      const approval = review === null ? null : approvalIn(review);
      const isQueued = queued.has(id);
      const next = due.get(id);
      const stated = next === undefined ? entries : [...entries, next];
      const faults = checkRow(row, stated, approval, isQueued);
      const unknownKeys = new Set<string>();
      const states = await Promise.all(entries.map((entry) => checkEntry(entry, keys)));
      for (const [index, { seq, keyId }] of entries.entries()) {
        if (states[index] === 'broken') faults.push(`entry ${seq} is not what was written`);
        if (states[index] === 'unknown_key') unknownKeys.add(keyId);
      }
      found.set(id, { row, review, faults, unknownKeys: [...unknownKeys], entries, isQueued });
    }
    return found;
  }

  /** Compares the ledger with the last entries (heads) that the audit log and this gateway remember. */
  private async compareHeads(
    db: LedgerDatabase,
    orgId: string,
    walk: Walk,
    heads: readonly LedgerHead[],
    head: LedgerHead,
  ): Promise<void> {
    const known = heads.filter(({ seq }) => seq > 0);
    const rows = await db.query<{ seq: string; hash: Buffer }>(
      'SELECT seq, hash FROM session_ledger WHERE org_id = $1 AND seq = ANY ($2::bigint[])',
      [orgId, known.map(({ seq }) => seq)],
    );
    const hashes = new Map(rows.map(({ seq, hash }) => [Number(seq), hash]));
    const beyond = Math.max(...known.map(({ seq }) => seq), 0);
    if (beyond > head.seq)
      walk.fault(null, null, `the ledger ends at entry ${head.seq}, and had ${beyond}: its end was cut off`);
    for (const { seq, hash } of known) {
      const stored = hashes.get(seq);
      if (stored !== undefined && !stored.equals(hash))
        walk.fault(seq, null, 'it is not the entry that was noted elsewhere');
    }
  }

  private async findUnsealed(db: LedgerDatabase, orgId: string, walk: Walk): Promise<void> {
    const rows = await db.query<{ id: string }>(
      `SELECT id FROM sessions AS session WHERE org_id = $1
         AND NOT EXISTS (SELECT FROM session_ledger WHERE session_id = session.id
           AND (session.status <> 'done' OR kind NOT IN ('opened', 'missing')))
         AND NOT EXISTS (SELECT FROM session_ledger_queue WHERE session_id = session.id)
       ORDER BY id LIMIT ${MAX_FAULTS}`,
      [orgId],
    );
    for (const { id } of rows) walk.fault(null, id, 'the session has no entry in the ledger');
  }
}

/** Returns the ids of the sessions whose next entry is not written yet. */
async function queuedOf(db: LedgerDatabase, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await db.query<{ session_id: string }>(
    'SELECT session_id FROM session_ledger_queue WHERE session_id = ANY ($1::uuid[])',
    [ids],
  );
  return new Set(rows.map(({ session_id }) => session_id));
}

async function waiting(db: LedgerDatabase, orgId: string): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    'SELECT count(DISTINCT session_id)::int AS count FROM session_ledger_queue WHERE org_id = $1',
    [orgId],
  );
  return row?.count ?? 0;
}

/** Checks the links of the ledger entry by entry, and collects faults. */
class Walk {
  readonly faults: LedgerFaultView[] = [];
  readonly unknown = new Set<string>();
  /** Hash of the previous entry; undefined if that entry is missing. */
  previous: Buffer | undefined;
  private readonly told = new Set<string>();

  constructor(private next: number) {}

  link({ seq, sessionId, previous, hash }: LedgerEntry): void {
    this.ends(seq - 1);
    if (this.previous !== undefined && !this.previous.equals(previous))
      this.fault(seq, sessionId, 'it does not follow the entry before it');
    this.previous = hash;
    this.next = seq + 1;
  }

  /** Reports missing entries up to number `last`. */
  ends(last: number): void {
    if (this.next > last) return;
    const missing = this.next === last ? 'it is missing' : `it is missing, and all up to ${last}`;
    this.fault(this.next, null, missing);
    this.previous = undefined;
    this.next = last + 1;
  }

  sessions(entries: readonly LedgerEntry[], found: ReadonlyMap<string, SessionFindings>): void {
    for (const { seq, sessionId } of entries) {
      if (this.told.has(sessionId)) continue;
      this.told.add(sessionId);
      const { faults = [], unknownKeys = [] } = found.get(sessionId) ?? {};
      for (const reason of faults) this.fault(seq, sessionId, reason);
      for (const id of unknownKeys) this.unknown.add(id);
    }
  }

  fault(number: number | null, sessionId: string | null, reason: string): void {
    if (this.faults.length < MAX_FAULTS) this.faults.push({ number, session_id: sessionId, reason });
  }
}
