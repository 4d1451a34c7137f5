import { createHash } from 'node:crypto';
import { parseJson } from '../../kernel/json/json';

/**
 * Reason of an entry.
 * - `opened`: the session was running when the ledger first saw it.
 * - `closed`: the session is over. `adopted`: it was over before there was a
 *   ledger, and was sealed as it was found.
 * - `grown`: a journal brought more of its recording after the end.
 * - `metadata`, `hold`: a user changed that; the audit log names the user.
 * - `removed`: its recording was removed because its retention had ended.
 * - `missing`: a row that had begun was gone when the ledger looked.
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

/** The state of the recording's seal when the entry was written. */
export type SealFound = 'fits' | 'absent' | 'unknown_key' | 'broken';

/** Content of an entry about a session. */
export interface EntryContent {
  /** Columns of its row. */
  readonly session: Values;
  /** Digests of its texts: SHA-256 of the salt and the text, hex; null where there is no text. */
  readonly content: Readonly<Record<string, string | null>>;
  /** Absent while the session runs. */
  readonly seal?: SealFound;
  /** The request for approval and its decisions; null: no review. Absent while the session runs. */
  readonly review?: Values | null;
}

export interface LedgerEntry {
  readonly orgId: string;
  /** From 1, without gaps. */
  readonly seq: number;
  readonly sessionId: string;
  readonly kind: EntryKind;
  /** The JSON text of an `EntryContent`. The signature covers exactly this text. */
  readonly said: string;
  readonly recordedAt: Date;
  readonly previous: Buffer;
  readonly hash: Buffer;
  readonly keyId: string;
  /** Ed25519, on the hash. */
  readonly signature: Buffer;
}

/** The hash before the first entry. */
export const NO_ENTRY = Buffer.alloc(32);

/** Covers the whole content of an entry and the hash of the entry before it (SHA-256). */
export function entryHash(entry: Omit<LedgerEntry, 'hash' | 'keyId' | 'signature'>): Buffer {
  const { orgId, seq, sessionId, kind, said, recordedAt } = entry;
  return createHash('sha256')
    .update(entry.previous)
    .update(JSON.stringify([orgId, seq, sessionId, kind, recordedAt.toISOString(), said]))
    .digest();
}

/** Whether an entry contains the state of the session, not only that it began or is missing. */
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
