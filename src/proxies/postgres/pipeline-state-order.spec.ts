import * as fc from '../../../test/support/fast-check';
import { PipelineState } from './pipeline/pipeline-state';
import { BIND, COPY_DONE, EXECUTE, PARSE, QUERY, SYNC } from './wire/types';

/** A message of a client, and whether it fails at the server. `copy` is a COPY of the client's data. */
interface Sent {
  readonly kind: 'parse' | 'bind' | 'execute' | 'query' | 'sync' | 'copy';
  readonly fails: boolean;
}

type Answer = { readonly of: number } & { readonly type: 'done' | 'error' | 'ready' | 'copy in' };

const KINDS = { parse: PARSE, bind: BIND, execute: EXECUTE, query: QUERY, sync: SYNC } as const;

/**
 * Returns the server's answers according to PostgreSQL's documentation ("Message Flow"). After an error in
 * the extended protocol, the server skips everything up to the next Sync. While it reads COPY data, it
 * ignores a Sync. `copy` stands for four messages: Execute of a COPY, a Sync too early, the end of the data,
 * a Sync.
 */
function answersOf(messages: readonly Sent[]): Answer[] {
  const answers: Answer[] = [];
  let skips = false;
  for (const [of, { kind, fails }] of messages.entries()) {
    if (kind === 'sync') {
      skips = false;
      answers.push({ type: 'ready', of });
    } else if (skips) {
      // Both Syncs of a skipped COPY are answered: the early one counts, because the COPY never began.
      if (kind !== 'copy') continue;
      skips = false;
      answers.push({ type: 'ready', of }, { type: 'ready', of });
    } else if (kind === 'copy') {
      answers.push({ type: 'copy in', of }, { type: fails ? 'error' : 'done', of }, { type: 'ready', of });
    } else if (kind === 'query') {
      answers.push({ type: fails ? 'error' : 'done', of }, { type: 'ready', of });
    } else {
      answers.push({ type: fails ? 'error' : 'done', of });
      skips = fails;
    }
  }
  return answers;
}

function send(pipelineState: PipelineState, { kind }: Sent, of: number): void {
  const name = String(of);
  if (kind !== 'copy') return pipelineState.sent({ kind: KINDS[kind], name });
  pipelineState.sent({ kind: EXECUTE, name });
  pipelineState.sent({ kind: SYNC, name });
  pipelineState.copyInEnds();
  pipelineState.sent({ kind: SYNC, name });
}

/** Passes an answer of the server to the pipeline state, and returns the number of the message it answers. */
function take(pipelineState: PipelineState, answer: Answer, sent: Sent | undefined): number {
  const head = Number(pipelineState.head?.name);
  if (answer.type === 'error') pipelineState.failed();
  else if (answer.type === 'ready') pipelineState.becameReady();
  else if (answer.type === 'copy in') pipelineState.copyInBegan(false);
  // A simple query is answered by ReadyForQuery alone.
  else if (sent?.kind !== 'query') pipelineState.answered();
  return head;
}

const message: fc.Arbitrary<Sent> = fc.record({
  kind: fc.constantFrom('parse', 'bind', 'execute', 'query', 'sync', 'copy'),
  fails: fc.boolean(),
});

describe('what is in flight', () => {
  it('knows to what each answer belongs, whenever answers come', () => {
    const pipelines = fc.array(message, { maxLength: 30 });
    fc.assert(
      fc.property(pipelines, fc.array(fc.nat(3), { minLength: 1 }), (messages, delays) => {
        const pipelineState = new PipelineState();
        const all = [...messages, { kind: 'sync', fails: false } as const];
        const answers = answersOf(all);
        let next = 0;
        const answerSome = (count: number, upTo: number) => {
          for (let left = count; left > 0; left -= 1) {
            const answer = answers[next];
            if (answer === undefined || answer.of > upTo) return;
            expect([answer, take(pipelineState, answer, all[answer.of])]).toEqual([answer, answer.of]);
            next += 1;
          }
        };
        for (const [of, one] of all.entries()) {
          send(pipelineState, one, of);
          answerSome(delays[of % delays.length] ?? 0, of);
        }
        answerSome(answers.length, all.length);
        expect([next, pipelineState.isIdle]).toEqual([answers.length, true]);
      }),
      { numRuns: 2_000 },
    );
  });

  it('counts no Sync that comes while the server reads COPY data', () => {
    const pipelineState = new PipelineState();
    pipelineState.sent({ kind: EXECUTE });
    pipelineState.sent({ kind: SYNC });
    pipelineState.copyInBegan(true);
    pipelineState.sent({ kind: SYNC });
    expect(pipelineState.copyInForm).toBe('binary');
    pipelineState.copyInEnds();
    pipelineState.sent({ kind: SYNC });
    pipelineState.answered();
    pipelineState.becameReady();
    expect(pipelineState.isIdle).toBe(true);
  });

  it('takes an end of COPY data that nobody asked for as nothing', () => {
    const pipelineState = new PipelineState();
    pipelineState.copyInEnds();
    expect(pipelineState.isIdle).toBe(true);
    pipelineState.sent({ kind: PARSE, name: 'p' });
    pipelineState.copyInEnds();
    pipelineState.sent({ kind: SYNC });
    pipelineState.answered();
    expect(pipelineState.head?.kind).toBe(SYNC);
    expect(pipelineState.head?.kind).not.toBe(COPY_DONE);
  });

  it.each([
    ['asked for', true],
    ['still on its way', false],
  ])('refuses the COPY itself, when it was %s', (_, isAsked) => {
    const refused = { code: '42501', message: 'No.' };
    const pipelineState = new PipelineState();
    pipelineState.sent({ kind: PARSE, name: 'before' });
    pipelineState.sent({ kind: QUERY, name: 'copy' });
    if (isAsked) {
      pipelineState.answered();
      pipelineState.copyInBegan(false);
    }
    pipelineState.refuseCopy(refused);
    if (!isAsked) expect(pipelineState.answered()).not.toHaveProperty('refused');
    expect(pipelineState.head).toMatchObject({ name: 'copy', refused });
  });

  it('is risky until all that is has been answered; waiters are resolved then, or at the end', async () => {
    const pipelineState = new PipelineState();
    pipelineState.sent({ kind: QUERY });
    pipelineState.sent({ kind: QUERY, isRisky: true });
    let isHarmless = false;
    const waiting = pipelineState.harmless().then(() => (isHarmless = true));
    pipelineState.becameReady();
    await new Promise((turn) => setImmediate(turn));
    expect([pipelineState.isRisky, isHarmless]).toEqual([true, false]);
    pipelineState.becameReady();
    await waiting;
    expect(pipelineState.isRisky).toBe(false);
    pipelineState.sent({ kind: QUERY, isRisky: true });
    const last = pipelineState.harmless();
    pipelineState.release();
    await expect(last).resolves.toBeUndefined();
  });

  it('has the client skip to its Sync after a refused answer, unless one is on its way', () => {
    const pipelineState = new PipelineState();
    pipelineState.sent({ kind: EXECUTE });
    pipelineState.refuseAnswer();
    expect(pipelineState.skipsClient).toBe(true);
    pipelineState.sent({ kind: SYNC });
    pipelineState.refuseAnswer();
    expect(pipelineState.skipsClient).toBe(false);
  });
});
