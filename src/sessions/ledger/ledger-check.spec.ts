import { checkRow } from './ledger-check';
import type { LedgerEntry, Values } from './ledger-entry';
import type { SessionFacts } from './session-facts';

const WHOLE = { status: 'done', exit_code: 0, recording_purged_at: null, gateway_id: null };

/** Returns the faults of a session row with the values `now`, if the ledger sealed the values `sealed`. */
function faultsOf(sealed: Values, now: Values): string[] {
  const row = { isOver: true, start: {}, whole: now, content: {}, quotes: false } as Partial<SessionFacts>;
  const entry: Partial<LedgerEntry> = {
    kind: 'closed',
    said: JSON.stringify({ session: sealed, content: {}, seal: 'fits', review: null }),
  };
  return checkRow(row as SessionFacts, [entry as LedgerEntry], null);
}

describe('the row of a session', () => {
  it('is compared with all that was sealed', () => {
    expect(faultsOf(WHOLE, WHOLE)).toEqual([]);
    expect(faultsOf(WHOLE, { ...WHOLE, gateway_id: 'other' })).toEqual(['gateway_id is not what was sealed']);
    expect(faultsOf(WHOLE, { status: 'done', exit_code: 0, recording_purged_at: null })).toEqual([
      'gateway_id is not what was sealed',
    ]);
  });

  it('may have columns that were not sealed yet when the entry was written', () => {
    const { gateway_id: _, ...before } = WHOLE;
    expect(faultsOf(before, WHOLE)).toEqual([]);
    expect(faultsOf(before, { ...WHOLE, exit_code: 1 })).toEqual(['exit_code is not what was sealed']);
  });
});
