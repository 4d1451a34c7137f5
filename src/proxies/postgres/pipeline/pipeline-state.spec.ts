import { PipelineState } from './pipeline-state';
import { BIND, EXECUTE, PARSE, QUERY, SYNC } from '../wire/types';

describe('messages on their way, where one of them is a COPY from the client', () => {
  const kindsLeft = (pipelineState: PipelineState): number[] => {
    const kinds: number[] = [];
    for (let { head } = pipelineState; head !== undefined; { head } = pipelineState) {
      kinds.push(head.kind);
      pipelineState.answered();
    }
    return kinds;
  };

  it('forget a Sync that was sent before the data, and keep the one behind them', () => {
    const pipelineState = new PipelineState();
    for (const kind of [EXECUTE, SYNC]) pipelineState.sent({ kind });
    pipelineState.copyInBegan(false);
    pipelineState.copyInEnds();
    pipelineState.sent({ kind: SYNC });
    expect(kindsLeft(pipelineState)).toEqual([EXECUTE, SYNC]);
  });

  it('forget the one before and keep the one behind, also where all was sent before the server asked', () => {
    const pipelineState = new PipelineState();
    for (const kind of [EXECUTE, SYNC]) pipelineState.sent({ kind });
    pipelineState.copyInEnds();
    for (const kind of [SYNC, PARSE, BIND, EXECUTE, SYNC]) pipelineState.sent({ kind });
    pipelineState.copyInBegan(false);
    expect(kindsLeft(pipelineState)).toEqual([EXECUTE, SYNC, PARSE, BIND, EXECUTE, SYNC]);
  });

  it('keep every Sync where there was no COPY, and the end of its data means nothing', () => {
    const pipelineState = new PipelineState();
    for (const kind of [EXECUTE, SYNC]) pipelineState.sent({ kind });
    pipelineState.copyInEnds();
    for (const kind of [SYNC, QUERY]) pipelineState.sent({ kind });
    pipelineState.failed();
    pipelineState.becameReady();
    expect(kindsLeft(pipelineState)).toEqual([SYNC, QUERY]);
  });

  it('know that nothing tells of a risk behind a COPY, though the COPY itself becomes ready', async () => {
    const pipelineState = new PipelineState();
    pipelineState.sent({ kind: QUERY });
    pipelineState.copyInEnds();
    pipelineState.sent({ kind: EXECUTE, isRisky: true });
    pipelineState.copyInBegan(false);
    expect(pipelineState.isRiskOpen).toBe(true);
    // Must resolve at once, because the client's next message decides about the risk, and a wait would block
    // it.
    await pipelineState.harmless();
  });

  it('wake who waits for a Sync that turns out to mean nothing', async () => {
    const pipelineState = new PipelineState();
    for (const kind of [EXECUTE, SYNC]) pipelineState.sent({ kind, isRisky: kind === EXECUTE });
    expect(pipelineState.isRiskOpen).toBe(false);
    const woken = pipelineState.harmless();
    pipelineState.copyInBegan(false);
    await woken;
    expect(pipelineState).toMatchObject({ isRisky: true, isRiskOpen: true });
  });
});

describe('how far a client is read ahead of the server', () => {
  const bind = { kind: BIND, bytes: 100 * 1024 };

  it('is bounded by the bytes of what is answered at once, and grows with each answer', () => {
    const pipelineState = new PipelineState();
    pipelineState.sent(bind);
    pipelineState.sent(bind);
    expect(pipelineState.isFull).toBe(false);
    pipelineState.sent(bind);
    expect(pipelineState.isFull).toBe(true);
    pipelineState.answered();
    expect(pipelineState.isFull).toBe(false);
  });

  it.each<[string, (pipelineState: PipelineState) => unknown]>([
    ['an error, because the server skips the rest', (pipelineState: PipelineState) => pipelineState.failed()],
    ['ReadyForQuery', (pipelineState: PipelineState) => pipelineState.becameReady()],
  ])('is free again after %s', (_, comes) => {
    const pipelineState = new PipelineState();
    for (let count = 0; count < 5; count += 1) pipelineState.sent(bind);
    comes(pipelineState);
    // Messages that the server skips do not fill the pipeline.
    if (pipelineState.isIdle) for (let count = 0; count < 2; count += 1) pipelineState.sent(bind);
    expect(pipelineState.isFull).toBe(false);
  });
});

describe('a wait for answers', () => {
  it('waits no more when the relay is over: a server that is gone answers nothing', async () => {
    const pipelineState = new PipelineState();
    pipelineState.sent({ kind: QUERY, isRisky: true });
    const asked = { text: 'SELECT 1', isRisky: false, isBeingDescribed: true };
    const waiting = [
      pipelineState.copyInKnown(),
      pipelineState.settled(),
      pipelineState.harmless(),
      pipelineState.described(asked),
    ];
    pipelineState.release();
    await expect(Promise.all(waiting)).resolves.toHaveLength(4);
    await expect(pipelineState.copyInKnown()).resolves.toBeUndefined();
  });
});
