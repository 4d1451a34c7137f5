import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { PublishedKeys } from '../../platform/keys/published-keys';
import { sign } from '../../platform/keys/signature';
import { RecordingSeal } from '../format/chain';
import { SessionRow, type SessionKey } from '../recording/session.entity';
import type { LedgerDatabase } from './ledger-database';
import {
  type EntryKind,
  type EntryRow,
  type LedgerEntry,
  NO_ENTRY,
  type EntryContent,
  type SealFound,
  entryHash,
  entryOf,
  isState,
  entryContent,
} from './ledger-entry';
import { sealedColumns } from './sealed-columns';
import { FactsReader, type SessionFacts } from './session-facts';

/** An entry to be written. `append` gives it its number. */
export interface NewEntry {
  readonly sessionId: string;
  readonly kind: EntryKind;
  readonly said: EntryContent;
}

/** The last entry of an organization's ledger. */
export interface LedgerHead {
  readonly seq: number;
  readonly hash: Buffer;
}

const NO_HEAD: LedgerHead = { seq: 0, hash: NO_ENTRY };

/**
 * The ledger of sessions. Appending needs a lock on the organization's ledger. A transaction takes this lock
 * after the locks on rows of sessions and before the lock of the audit log, and releases it when it ends.
 */
@Injectable()
export class SessionLedger {
  readonly facts: FactsReader;
  /**
   * Last ledger entry that this gateway read, by organization. If the ledger is shorter, its end was cut off.
   */
  private readonly seen = new Map<string, LedgerHead>();

  constructor(
    @InjectRepository(SessionRow) sessions: Repository<SessionRow>,
    private readonly keys: PublishedKeys,
    private readonly seal: RecordingSeal,
  ) {
    this.facts = new FactsReader(sessions.metadata);
  }

  async lock(db: LedgerDatabase, orgId: string): Promise<void> {
    await db.query(`SELECT pg_advisory_xact_lock(hashtext('session_ledger'), hashtext($1))`, [orgId]);
  }

  /** Tries to acquire the lock of the ledger. Returns false while another gateway has it. */
  async tryLock(db: LedgerDatabase, orgId: string): Promise<boolean> {
    const [row] = await db.query<{ taken: boolean }>(
      `SELECT pg_try_advisory_xact_lock(hashtext('session_ledger'), hashtext($1)) AS taken`,
      [orgId],
    );
    return row?.taken === true;
  }

  async head(db: LedgerDatabase, orgId: string): Promise<LedgerHead> {
    const [row] = await db.query<{ seq: string; hash: Buffer }>(
      'SELECT seq, hash FROM session_ledger WHERE org_id = $1 ORDER BY seq DESC LIMIT 1',
      [orgId],
    );
    const head = row === undefined ? NO_HEAD : { seq: Number(row.seq), hash: row.hash };
    if (head.seq > this.seenOf(orgId).seq) this.seen.set(orgId, head);
    return head;
  }

  /** The last ledger entry (head) that this gateway has read since it started. */
  seenOf(orgId: string): LedgerHead {
    return this.seen.get(orgId) ?? NO_HEAD;
  }

  /** Appends entries in the given order. The caller holds the lock of the ledger. */
  async append(db: LedgerDatabase, orgId: string, entries: readonly NewEntry[]): Promise<void> {
    if (entries.length === 0) return;
    const [clock] = await db.query<{ now: Date }>('SELECT clock_timestamp() AS now');
    const recordedAt = clock?.now ?? new Date();
    let { seq, hash: previous } = await this.head(db, orgId);
    const linked = entries.map(({ sessionId, kind, said }) => {
      seq += 1;
      const entry = { orgId, seq, sessionId, kind, said: JSON.stringify(said), recordedAt, previous };
      previous = entryHash(entry);
      return { ...entry, hash: previous };
    });
    const { id: keyId, key } = this.keys.current;
    const signatures = await Promise.all(linked.map(({ hash }) => sign('ledger entry', hash, key)));
    await db.query(
      `INSERT INTO session_ledger (org_id, seq, session_id, kind, said, recorded_at, previous, hash, key_id, signature)
       SELECT $1, seq, session_id, kind, said, $2, decode(previous, 'hex'), decode(hash, 'hex'), $3, decode(signature, 'hex')
       FROM unnest($4::bigint[], $5::uuid[], $6::text[], $7::text[], $8::text[], $9::text[], $10::text[])
         AS entry (seq, session_id, kind, said, previous, hash, signature)`,
      [
        orgId,
        recordedAt,
        keyId,
        linked.map((entry) => entry.seq),
        linked.map((entry) => entry.sessionId),
        linked.map((entry) => entry.kind),
        linked.map((entry) => entry.said),
        linked.map((entry) => entry.previous.toString('hex')),
        linked.map((entry) => entry.hash.toString('hex')),
        signatures.map((signature) => signature.toString('hex')),
      ],
    );
  }

  /** Returns all entries of the given sessions, in order. */
  async entriesOf(
    db: LedgerDatabase,
    orgId: string,
    sessionIds: readonly string[],
  ): Promise<Map<string, LedgerEntry[]>> {
    const found = new Map<string, LedgerEntry[]>(sessionIds.map((id) => [id, []]));
    const rows = await db.query<EntryRow>(
      'SELECT * FROM session_ledger WHERE org_id = $1 AND session_id = ANY ($2::uuid[]) ORDER BY seq',
      [orgId, sessionIds],
    );
    for (const row of rows) found.get(row.session_id)?.push(entryOf(row));
    return found;
  }

  /**
   * Seals a change of a session in the transaction that makes it. The new entry repeats the previous one
   * except for the changed columns, so that it does not also seal an edit made outside the gateway. A session
   * without a state in the ledger gets no entry, because its first state will include the change.
   */
  async changed(db: LedgerDatabase, { orgId, id }: SessionKey, kind: 'metadata' | 'hold'): Promise<void> {
    await this.lock(db, orgId);
    await this.append(db, orgId, await this.changes(db, orgId, [id], kind));
  }

  /** Returns entries for changes of sessions that have a state in the ledger. The caller holds its lock. */
  async changes(
    db: LedgerDatabase,
    orgId: string,
    ids: readonly string[],
    kind: 'metadata' | 'hold' | 'removed' | 'grown',
  ): Promise<NewEntry[]> {
    if (ids.length === 0) return [];
    const facts = await this.facts.read(db, orgId, ids);
    const entries = await this.entriesOf(db, orgId, ids);
    return ids.flatMap((sessionId) => {
      const last = entries.get(sessionId)?.findLast(isState);
      const row = facts.get(sessionId);
      if (last === undefined || row === undefined) return [];
      const before = entryContent(last);
      const columns = changedBy[kind];
      const session = { ...before.session, ...this.facts.among(row.whole, columns) };
      // Keeps the old digests, except for `grown`, because retention may have removed the texts. Earlier
      // evidence files can still be compared with the digests.
      const content = kind === 'grown' ? row.content : before.content;
      return [{ sessionId, kind, said: { ...before, session, content } }];
    });
  }

  /**
   * Returns the entries for queued sessions whose recording grew after their last ledger entry.
   * @param facts the rows of these sessions
   * @param known the entries that these sessions have
   */
  growth(
    db: LedgerDatabase,
    orgId: string,
    queued: readonly string[],
    facts: ReadonlyMap<string, SessionFacts>,
    known: ReadonlyMap<string, readonly LedgerEntry[]>,
  ): Promise<NewEntry[]> {
    const grown = queued.filter((id) => {
      const row = facts.get(id);
      const before = known.get(id)?.findLast(isState);
      return row !== undefined && before !== undefined && this.hasGrown(row, before);
    });
    return this.changes(db, orgId, grown, 'grown');
  }

  /** Checks the seal on the recording of a session that is over. */
  sealFound({ seal, end }: SessionFacts): SealFound {
    return seal === null ? 'absent' : this.seal.check(seal, end).state;
  }

  /**
   * Whether the recording has more chunks and a valid seal. The queue alone proves nothing, because an
   * attacker who edits a row can also queue it.
   */
  private hasGrown(row: SessionFacts, before: LedgerEntry): boolean {
    const known = Number(entryContent(before).session['chunk_count']);
    return row.end.chunkCount > known && this.sealFound(row) === 'fits';
  }
}

const changedBy = {
  metadata: sealedColumns('metadata'),
  hold: sealedColumns('hold'),
  removed: sealedColumns('removal'),
  grown: sealedColumns('recording', 'content'),
};
