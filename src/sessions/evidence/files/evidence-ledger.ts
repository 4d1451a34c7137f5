import { createHash } from 'node:crypto';
import type { EvidenceKeys } from '../../../platform/keys/published-keys';
import { checkEntry, checkRow } from '../../ledger/ledger-check';
import { type LedgerEntry, entryContent } from '../../ledger/ledger-entry';
import type { SessionFacts } from '../../ledger/session-facts';
import { type EvidenceLedger, type Head, entriesOf, factsOf } from './evidence-format';

/** The result of verifying the session of a file, without its recording. */
export interface LedgerReport {
  readonly faults: readonly string[];
  /** Ids of keys that signed an entry but were not given to the verifier. */
  readonly unknownKeys: readonly string[];
}

/**
 * Verifies the session of a file: compares the row with the entries and the texts with their digests, and
 * checks the signatures of the entries.
 * @param keys undefined: signatures are not checked.
 */
export async function verifyLedger(
  head: Head,
  keys: Pick<EvidenceKeys, 'get'> | undefined,
): Promise<LedgerReport> {
  if (head.version === 1) return { faults: [], unknownKeys: [] };
  const faults = head.faults.map((fault) => `the gateway found: ${fault}`);
  if (head.ledger === null) return { faults, unknownKeys: [] };
  const entries = entriesOf(head);
  faults.push(...checkRow(rowOf(head, head.ledger, entries), entries, head.ledger.review));
  const unknownKeys = new Set<string>();
  for (const entry of entries) {
    const state = await checkEntry(entry, keys ?? new Map());
    if (state === 'broken') faults.push(`entry ${entry.seq} is not what was written`);
    if (state === 'unknown_key' && keys !== undefined) unknownKeys.add(entry.keyId);
  }
  return { faults: [...new Set(faults)], unknownKeys: [...unknownKeys] };
}

function rowOf(head: Head, ledger: EvidenceLedger, entries: readonly LedgerEntry[]): SessionFacts {
  const { row, content, salt } = ledger;
  const opened = entries.find(({ kind }) => kind === 'opened');
  const atStart = opened === undefined ? [] : Object.keys(entryContent(opened).session);
  const { seal, isOver, ...end } = factsOf(head);
  return {
    orgId: String(row['org_id']),
    id: head.session.id,
    isOver,
    credentialId: null,
    start: Object.fromEntries(atStart.map((name) => [name, row[name]])),
    whole: row,
    content: Object.fromEntries(Object.entries(content).map(([name, text]) => [name, digestOf(text, salt)])),
    quotes: false,
    end,
    seal,
  };
}

/** Computes the same digest as the database (`session-facts.ts`). */
function digestOf(text: string | null, salt: Buffer | null): string | null {
  if (text === null || salt === null) return null;
  return createHash('sha256').update(salt).update(text).digest('hex');
}
