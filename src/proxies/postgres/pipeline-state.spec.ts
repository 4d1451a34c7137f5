import { PipelineState } from './pipeline-state';
import { BIND, EXECUTE, PARSE, QUERY, SYNC } from './wire/types';

describe('messages on their way, where one of them is a COPY from the client', () => {
  const kindsLeft = (inFlight: PipelineState): number[] => {
    const kinds: number[] = [];
    for (let { head } = inFlight; head !== undefined; { head } = inFlight) {
      kinds.push(head.kind);
      inFlight.answered();
    }
    return kinds;
  };

  it('forget a Sync that was sent before the data, and keep the one behind them', () => {
    const inFlight = new PipelineState();
    for (const kind of [EXECUTE, SYNC]) inFlight.sent({ kind });
    inFlight.copyInBegan(false);
    inFlight.copyInEnds();
    inFlight.sent({ kind: SYNC });
    expect(kindsLeft(inFlight)).toEqual([EXECUTE, SYNC]);
  });

  it('forget the one before and keep the one behind, also where all was sent before the server asked', () => {
    const inFlight = new PipelineState();
    for (const kind of [EXECUTE, SYNC]) inFlight.sent({ kind });
    inFlight.copyInEnds();
    for (const kind of [SYNC, PARSE, BIND, EXECUTE, SYNC]) inFlight.sent({ kind });
    inFlight.copyInBegan(false);
    expect(kindsLeft(inFlight)).toEqual([EXECUTE, SYNC, PARSE, BIND, EXECUTE, SYNC]);
  });

  it('keep every Sync where there was no COPY, and the end of its data means nothing', () => {
    const inFlight = new PipelineState();
    for (const kind of [EXECUTE, SYNC]) inFlight.sent({ kind });
    inFlight.copyInEnds();
    for (const kind of [SYNC, QUERY]) inFlight.sent({ kind });
    inFlight.failed();
    inFlight.becameReady();
    expect(kindsLeft(inFlight)).toEqual([SYNC, QUERY]);
  });

  it('know that nothing tells of a risk behind a COPY, though the COPY itself becomes ready', async () => {
    const inFlight = new PipelineState();
    inFlight.sent({ kind: QUERY });
    inFlight.copyInEnds();
    inFlight.sent({ kind: EXECUTE, isRisky: true });
    inFlight.copyInBegan(false);
    expect(inFlight.isRiskOpen).toBe(true);
    // Whoever waited for it would keep the client from saying what tells.
    await inFlight.harmless();
  });

  it('wake who waits for a Sync that turns out to mean nothing', async () => {
    const inFlight = new PipelineState();
    for (const kind of [EXECUTE, SYNC]) inFlight.sent({ kind, isRisky: kind === EXECUTE });
    expect(inFlight.isRiskOpen).toBe(false);
    const woken = inFlight.harmless();
    inFlight.copyInBegan(false);
    await woken;
    expect(inFlight).toMatchObject({ isRisky: true, isRiskOpen: true });
  });
});

describe('how far a client is read ahead of the server', () => {
  const bind = { kind: BIND, bytes: 100 * 1024 };

  it('is bounded by the bytes of what is answered at once, and grows with each answer', () => {
    const inFlight = new PipelineState();
    inFlight.sent(bind);
    inFlight.sent(bind);
    expect(inFlight.isFull).toBe(false);
    inFlight.sent(bind);
    expect(inFlight.isFull).toBe(true);
    inFlight.answered();
    expect(inFlight.isFull).toBe(false);
  });

  it.each<[string, (inFlight: PipelineState) => unknown]>([
    ['an error, because the server skips the rest', (inFlight: PipelineState) => inFlight.failed()],
    ['ReadyForQuery', (inFlight: PipelineState) => inFlight.becameReady()],
  ])('is free again after %s', (_, comes) => {
    const inFlight = new PipelineState();
    for (let count = 0; count < 5; count += 1) inFlight.sent(bind);
    comes(inFlight);
    // What the server skips does not count.
    if (inFlight.isIdle) for (let count = 0; count < 2; count += 1) inFlight.sent(bind);
    expect(inFlight.isFull).toBe(false);
  });
});

describe('whoever waits for answers', () => {
  it('waits no more when the relay is over: a server that is gone answers nothing', async () => {
    const inFlight = new PipelineState();
    inFlight.sent({ kind: QUERY, isRisky: true });
    const asked = { text: 'SELECT 1', isRisky: false, isBeingDescribed: true };
    const waiting = [
      inFlight.copyInKnown(),
      inFlight.settled(),
      inFlight.harmless(),
      inFlight.described(asked),
    ];
    inFlight.release();
    await expect(Promise.all(waiting)).resolves.toHaveLength(4);
    await expect(inFlight.copyInKnown()).resolves.toBeUndefined();
  });
});
