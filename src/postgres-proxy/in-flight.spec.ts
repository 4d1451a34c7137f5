import { InFlight } from './in-flight';
import { BIND, EXECUTE, PARSE, QUERY, SYNC } from './wire/types';

describe('messages on their way, where one of them is a COPY from the client', () => {
  const kindsLeft = (inFlight: InFlight): number[] => {
    const kinds: number[] = [];
    for (let { head } = inFlight; head !== undefined; { head } = inFlight) {
      kinds.push(head.kind);
      inFlight.answered();
    }
    return kinds;
  };

  it('forget a Sync that was sent before the data, and keep the one behind them', () => {
    const inFlight = new InFlight();
    for (const kind of [EXECUTE, SYNC]) inFlight.sent({ kind });
    inFlight.copyInBegan(false);
    inFlight.copyInEnds();
    inFlight.sent({ kind: SYNC });
    expect(kindsLeft(inFlight)).toEqual([EXECUTE, SYNC]);
  });

  it('forget the one before and keep the one behind, also where all was sent before the server asked', () => {
    const inFlight = new InFlight();
    for (const kind of [EXECUTE, SYNC]) inFlight.sent({ kind });
    inFlight.copyInEnds();
    for (const kind of [SYNC, PARSE, BIND, EXECUTE, SYNC]) inFlight.sent({ kind });
    inFlight.copyInBegan(false);
    expect(kindsLeft(inFlight)).toEqual([EXECUTE, SYNC, PARSE, BIND, EXECUTE, SYNC]);
  });

  it('keep every Sync where there was no COPY, and the end of its data means nothing', () => {
    const inFlight = new InFlight();
    for (const kind of [EXECUTE, SYNC]) inFlight.sent({ kind });
    inFlight.copyInEnds();
    for (const kind of [SYNC, QUERY]) inFlight.sent({ kind });
    inFlight.failed();
    inFlight.becameReady();
    expect(kindsLeft(inFlight)).toEqual([SYNC, QUERY]);
  });

  it('know that nothing tells of a risk behind a COPY, though the COPY itself becomes ready', async () => {
    const inFlight = new InFlight();
    inFlight.sent({ kind: QUERY });
    inFlight.copyInEnds();
    inFlight.sent({ kind: EXECUTE, isRisky: true });
    inFlight.copyInBegan(false);
    expect(inFlight.isRiskOpen).toBe(true);
    // Whoever waited for it would keep the client from saying what tells.
    await inFlight.harmless();
  });

  it('wake who waits for a Sync that turns out to mean nothing', async () => {
    const inFlight = new InFlight();
    for (const kind of [EXECUTE, SYNC]) inFlight.sent({ kind, isRisky: kind === EXECUTE });
    expect(inFlight.isRiskOpen).toBe(false);
    const woken = inFlight.harmless();
    inFlight.copyInBegan(false);
    await woken;
    expect(inFlight).toMatchObject({ isRisky: true, isRiskOpen: true });
  });
});
