import { createHash } from 'node:crypto';
import { parseJson } from '../../kernel/json/json';

/**
 * Reason of a ledger entry.
 * - `opened`: the session was running when the ledger first saw it.
 * - `closed`: the session is over.
 * - `adopted`: the session was over before there was a ledger, and was sealed in the state found.
 * - `grown`: events from a journal were added to the session's recording after its end.
 * - `metadata`, `hold`: a user changed the metadata or the legal hold; the audit log names the user.
 * - `removed`: the session's recording was removed because its retention had ended.
 * - `missing`: the session had begun, but its row was gone when the ledger read it.
 */
export const ENTRY_KINDS = [
  'opened',
  'closed',
  'adopted',
  'grown',
  'metadata',
  'hold',
  'removed',
  'missing',
] as const;
export type EntryKind = (typeof ENTRY_KINDS)[number];

/** Values by column name. */
export type Values = Readonly<Record<string, unknown>>;

/** Result of checking the recording's seal when the entry was written. */
export type SealFound = 'fits' | 'absent' | 'unknown_key' | 'broken';

/** Content of an entry about a session. */
export interface EntryContent {
  /** Columns of the session's row. */
  readonly session: Values;
  /** Digests of the session's texts: SHA-256 of salt and text, in hex; null for an absent text. */
  readonly content: Readonly<Record<string, string | null>>;
  /** Absent while the session runs. */
  readonly seal?: SealFound;
  /** The request for approval and its decisions; null: no review. Absent while the session runs. */
  readonly review?: Values | null;
}

export interface LedgerEntry {
  readonly orgId: string;
  /** Number of the entry, from 1 without gaps. */
  readonly seq: number;
  readonly sessionId: string;
  readonly kind: EntryKind;
  /** The JSON text of an `EntryContent`. The signature covers exactly this text. */
  readonly said: string;
  readonly recordedAt: Date;
  readonly previous: Buffer;
  readonly hash: Buffer;
  readonly keyId: string;
  /** Ed25519 signature of the hash. */
  readonly signature: Buffer;
}

/** Value used as the previous hash of the first entry. */
export const NO_ENTRY = Buffer.alloc(32);

/** Hashes the whole content of an entry and the hash of the previous entry (SHA-256). */
export function entryHash(entry: Omit<LedgerEntry, 'hash' | 'keyId' | 'signature'>): Buffer {
  const { orgId, seq, sessionId, kind, said, recordedAt } = entry;
  return createHash('sha256')
    .update(entry.previous)
    .update(JSON.stringify([orgId, seq, sessionId, kind, recordedAt.toISOString(), said]))
    .digest();
}

/** Whether an entry contains the state of the session. `opened` and `missing` entries do not. */
export function isState({ kind }: Pick<LedgerEntry, 'kind'>): boolean {
  return kind !== 'opened' && kind !== 'missing';
}

export function entryContent({ said }: Pick<LedgerEntry, 'said'>): EntryContent {
  return parseJson(said) as EntryContent;
}

/** A row of `session_ledger`. */
export interface EntryRow {
  org_id: string;
  seq: string;
  session_id: string;
  kind: EntryKind;
  said: string;
  recorded_at: Date;
  previous: Buffer;
  hash: Buffer;
  key_id: string;
  signature: Buffer;
}

export function entryOf(row: EntryRow): LedgerEntry {
  return {
    orgId: row.org_id,
    seq: Number(row.seq),
    sessionId: row.session_id,
    kind: row.kind,
    said: row.said,
    recordedAt: row.recorded_at,
    previous: row.previous,
    hash: row.hash,
    keyId: row.key_id,
    signature: row.signature,
  };
}
