import * as fc from 'fast-check';
import { PipelineState } from './pipeline-state';
import { BIND, COPY_DONE, EXECUTE, PARSE, QUERY, SYNC } from './wire/types';

/** What a client sends: whether the server fails at it, or takes it for a COPY of the client's data. */
interface Sent {
  readonly kind: 'parse' | 'bind' | 'execute' | 'query' | 'sync' | 'copy';
  readonly fails: boolean;
}

type Answer = { readonly of: number } & { readonly type: 'done' | 'error' | 'ready' | 'copy in' };

const KINDS = { parse: PARSE, bind: BIND, execute: EXECUTE, query: QUERY, sync: SYNC } as const;

/**
 * The server's side, as the documentation has it ("Message Flow"): after an error of the extended protocol everything
 * is skipped up to the next Sync; while it reads COPY data, a Sync means nothing. `copy` stands for an Execute of a
 * COPY, a Sync that comes too early, the data's end, and a Sync.
 */
function answersOf(messages: readonly Sent[]): Answer[] {
  const answers: Answer[] = [];
  let skips = false;
  for (const [of, { kind, fails }] of messages.entries()) {
    if (kind === 'sync') {
      skips = false;
      answers.push({ type: 'ready', of });
    } else if (skips) {
      // A COPY ends with a Sync, and has one before its data that counts where the COPY never began.
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

function send(inFlight: PipelineState, { kind }: Sent, of: number): void {
  const name = String(of);
  if (kind !== 'copy') return inFlight.sent({ kind: KINDS[kind], name });
  inFlight.sent({ kind: EXECUTE, name });
  inFlight.sent({ kind: SYNC, name });
  inFlight.copyInEnds();
  inFlight.sent({ kind: SYNC, name });
}

/** Takes an answer, and tells to which message it belongs. */
function take(inFlight: PipelineState, answer: Answer, sent: Sent | undefined): number {
  const head = Number(inFlight.head?.name);
  if (answer.type === 'error') inFlight.failed();
  else if (answer.type === 'ready') inFlight.becameReady();
  else if (answer.type === 'copy in') inFlight.copyInBegan(false);
  // A simple query is answered by ReadyForQuery alone.
  else if (sent?.kind !== 'query') inFlight.answered();
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
        const inFlight = new PipelineState();
        const all = [...messages, { kind: 'sync', fails: false } as const];
        const answers = answersOf(all);
        let next = 0;
        const answerSome = (count: number, upTo: number) => {
          for (let left = count; left > 0; left -= 1) {
            const answer = answers[next];
            if (answer === undefined || answer.of > upTo) return;
            expect([answer, take(inFlight, answer, all[answer.of])]).toEqual([answer, answer.of]);
            next += 1;
          }
        };
        for (const [of, one] of all.entries()) {
          send(inFlight, one, of);
          answerSome(delays[of % delays.length] ?? 0, of);
        }
        answerSome(answers.length, all.length);
        expect([next, inFlight.isIdle]).toEqual([answers.length, true]);
      }),
      { numRuns: 2_000 },
    );
  });

  it('counts no Sync that comes while the server reads COPY data', () => {
    const inFlight = new PipelineState();
    inFlight.sent({ kind: EXECUTE });
    inFlight.sent({ kind: SYNC });
    inFlight.copyInBegan(true);
    inFlight.sent({ kind: SYNC });
    expect(inFlight.copyInForm).toBe('binary');
    inFlight.copyInEnds();
    inFlight.sent({ kind: SYNC });
    inFlight.answered();
    inFlight.becameReady();
    expect(inFlight.isIdle).toBe(true);
  });

  it('takes an end of COPY data that nobody asked for as nothing', () => {
    const inFlight = new PipelineState();
    inFlight.copyInEnds();
    expect(inFlight.isIdle).toBe(true);
    inFlight.sent({ kind: PARSE, name: 'p' });
    inFlight.copyInEnds();
    inFlight.sent({ kind: SYNC });
    inFlight.answered();
    expect(inFlight.head?.kind).toBe(SYNC);
    expect(inFlight.head?.kind).not.toBe(COPY_DONE);
  });

  it.each([
    ['asked for', true],
    ['still on its way', false],
  ])('refuses the COPY itself, when it was %s', (_, isAsked) => {
    const refused = { code: '42501', message: 'No.' };
    const inFlight = new PipelineState();
    inFlight.sent({ kind: PARSE, name: 'before' });
    inFlight.sent({ kind: QUERY, name: 'copy' });
    if (isAsked) {
      inFlight.answered();
      inFlight.copyInBegan(false);
    }
    inFlight.refuseCopy(refused);
    if (!isAsked) expect(inFlight.answered()).not.toHaveProperty('refused');
    expect(inFlight.head).toMatchObject({ name: 'copy', refused });
  });

  it('is risky until all that is has been answered; whoever waits learns it then, or when it is over', async () => {
    const inFlight = new PipelineState();
    inFlight.sent({ kind: QUERY });
    inFlight.sent({ kind: QUERY, isRisky: true });
    let isHarmless = false;
    const waiting = inFlight.harmless().then(() => (isHarmless = true));
    inFlight.becameReady();
    await new Promise((turn) => setImmediate(turn));
    expect([inFlight.isRisky, isHarmless]).toEqual([true, false]);
    inFlight.becameReady();
    await waiting;
    expect(inFlight.isRisky).toBe(false);
    inFlight.sent({ kind: QUERY, isRisky: true });
    const last = inFlight.harmless();
    inFlight.release();
    await expect(last).resolves.toBeUndefined();
  });

  it('has the client skip to its Sync after a refused answer, unless one is on its way', () => {
    const inFlight = new PipelineState();
    inFlight.sent({ kind: EXECUTE });
    inFlight.refuseAnswer();
    expect(inFlight.skipsClient).toBe(true);
    inFlight.sent({ kind: SYNC });
    inFlight.refuseAnswer();
    expect(inFlight.skipsClient).toBe(false);
  });
});
