import { isDeepStrictEqual } from 'node:util';
import { plainJson } from '../../kernel/json/json';
import type { EvidenceKeys } from '../../platform/keys/published-keys';
import { isSigned } from '../../platform/keys/signature';
import {
  type LedgerEntry,
  type EntryContent,
  type Values,
  entryHash,
  isState,
  entryContent,
} from './ledger-entry';
import type { SessionFacts } from './session-facts';

/** Result of checking an entry. `unknown_key`: the verifier has no public key with the entry's key id. */
export type EntryState = 'fits' | 'broken' | 'unknown_key';

/** The part of a ledger entry with which the session's row is compared. */
export type StatedEntry = Pick<LedgerEntry, 'kind' | 'said'>;

/** Checks the hash and signature of one entry. The caller checks its links to the neighboring entries. */
export async function checkEntry(entry: LedgerEntry, keys: Pick<EvidenceKeys, 'get'>): Promise<EntryState> {
  if (!entry.hash.equals(entryHash(entry))) return 'broken';
  const key = keys.get(entry.keyId);
  if (key === undefined) return 'unknown_key';
  const fits = await isSigned('ledger entry', entry.hash, entry.signature, key.publicKey).catch(() => false);
  return fits ? 'fits' : 'broken';
}

/**
 * Compares the row of a session with the session's ledger entries.
 * @returns the faults, as sentences without an initial capital and a final period
 * @param row undefined: the row is missing.
 * @param entries All entries of the session, in order; also one that is due, but not written yet.
 * @param approval The sealed part of the session's review, in its current state; null: no review.
 * @param isQueued Whether the next entry of the session is not written yet.
 */
export function checkRow(
  row: SessionFacts | undefined,
  entries: readonly StatedEntry[],
  approval: Values | null,
  isQueued = false,
): string[] {
  if (row === undefined) return ['its row is gone'];
  const opened = entries.find(({ kind }) => kind === 'opened');
  const state = entries.findLast(isState);
  const faults = opened === undefined ? [] : sinceStart(row, entryContent(opened));
  if (state !== undefined) faults.push(...sinceEnd(row, entryContent(state), approval));
  else if (row.isOver && !isQueued) faults.push('it is over, and its entry in the ledger is missing');
  if (row.whole['recording_purged_at'] !== null && !entries.some(isRemoval))
    faults.push('its recording is gone, and nothing says that it was removed after its retention');
  return [...new Set(faults)];
}

/**
 * Whether an entry records that the recording was removed, or was already gone when `adopted` was written.
 */
function isRemoval(entry: StatedEntry): boolean {
  const wasGone = entry.kind === 'adopted' && entryContent(entry).session['recording_purged_at'] !== null;
  return wasGone || entry.kind === 'removed';
}

function sinceStart(row: SessionFacts, { session, content }: EntryContent): string[] {
  const faults = differing(row.start, session).map((name) => `${name} is not what it was at the start`);
  const script = row.content['script'] ?? null;
  const isGone = row.whole['recording_purged_at'] !== null;
  if (!isGone && script !== (content['script'] ?? null))
    faults.push('script is not what it was at the start');
  return faults;
}

function sinceEnd(row: SessionFacts, said: EntryContent, approval: Values | null): string[] {
  const names = differing(row.whole, said.session);
  if (said.session['recording_purged_at'] === null) names.push(...differing(row.content, said.content));
  else if (row.quotes) names.push('guardrails_info or ai_analysis');
  const faults = names.map((name) => `${name} is not what was sealed`);
  if (said.review !== undefined && !isDeepStrictEqual(said.review, approval))
    faults.push('review is not what was sealed');
  if (said.seal === 'broken') faults.push('the seal on its recording did not fit when it ended');
  return faults;
}

/**
 * Returns the names of the sealed values whose current value differs, compared as JSON. Ignores columns that
 * were not yet sealed when the entry was written.
 */
function differing(now: Values, sealed: Values): string[] {
  const plain = plainJson(now) as Values;
  return Object.keys(sealed).filter((name) => !isDeepStrictEqual(plain[name], sealed[name]));
}
