import { Logger } from '@nestjs/common';
import type { MaybePromise } from '../kernel/async/maybe-promise';
import { GuardedTrail } from './guarded-trail';
import type { GuardrailSet } from './ports/guardrails';
import type { SessionTrail } from './ports/session-recorder';
import type { Target } from './ports/target-directory';

type Answer = MaybePromise<GuardrailSet> | Error;

/** A trail whose rules come as the test defines, at a time that the test sets. */
function following(answer: (fetch: number) => Answer, areCached = true) {
  const clock = { now: 1_000_000 };
  jest.spyOn(performance, 'now').mockImplementation(() => clock.now);
  const warned = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
  let fetches = 0;
  const guardrails = {
    areCached,
    for: () => {
      const rules = answer((fetches += 1));
      if (rules instanceof Error) throw rules;
      return rules;
    },
  };
  const guarded = new GuardedTrail({} as Target, { sessionId: 's' } as SessionTrail, guardrails);
  return { clock, guarded, guardrails, warned, fetches: () => fetches };
}

const setOf = (version: number) => ({ version }) as unknown as GuardrailSet;
const gone = () => Promise.reject(new Error('gone'));
const goneAtOnce = () => new Error('gone');

// promises: GUARDRAIL-10
describe('rules for output that keeps coming', () => {
  afterEach(() => jest.restoreAllMocks());

  it('are the current ones for each piece while they are cached, however fast they change', async () => {
    // The rules were changed before four of eight answers, which must be read.
    const { guarded } = following((fetch) => (fetch % 8 < 4 ? Promise.resolve(setOf(fetch)) : setOf(fetch)));
    for (let piece = 1; piece <= 30; piece += 1) {
      await guarded.followRules();
      expect(guarded.rulesNow).toEqual({ version: piece });
    }
  });

  it('are the current ones for each piece of two streams that ask at the same time', async () => {
    let isChanged = true;
    const { guarded, fetches } = following((fetch) =>
      isChanged ? Promise.resolve(setOf(fetch)) : setOf(fetch),
    );
    for (let change = 1; change <= 5; change += 1) {
      isChanged = true;
      await Promise.all([guarded.followRules(), guarded.followRules()]);
      isChanged = false;
      void guarded.followRules();
      void guarded.followRules();
      expect(guarded.rulesNow).toEqual({ version: 4 * change });
    }
    expect(fetches()).toBe(20);
  });

  it.each([
    ['cannot be cached', (fetch: number) => Promise.resolve(setOf(fetch)), false, 0],
    ['cannot be loaded', gone, true, 1],
    ['cannot be loaded, which is known at once', goneAtOnce, true, 1],
  ])('are fetched once a second while they %s', async (_, answer, areCached, warnings) => {
    const { clock, guarded, warned, fetches } = following(answer, areCached);
    for (let second = 1; second <= 5; second += 1) {
      for (let piece = 0; piece < 10_000; piece += 1) await guarded.followRules();
      expect([fetches(), warned.mock.calls.length]).toEqual([second, warnings * second]);
      clock.now += 1_000;
    }
  });

  it('are the current ones again within a second after they could not be cached', async () => {
    const { clock, guarded, guardrails, fetches } = following((fetch) => setOf(fetch), false);
    for (let piece = 0; piece < 100; piece += 1) await guarded.followRules();
    expect(fetches()).toBe(1);
    guardrails.areCached = true;
    clock.now += 1_000;
    for (let piece = 2; piece <= 100; piece += 1) {
      await guarded.followRules();
      expect(guarded.rulesNow).toEqual({ version: piece });
    }
  });

  it('are fetched for each input, whatever happens', async () => {
    const { guarded, fetches } = following(gone);
    jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    for (let input = 0; input < 10; input += 1) {
      const refusal = await guarded.judge([{ text: 'a', as: 'value' }]);
      expect(refusal).toMatchObject({ kind: 'refused', reason: 'fault' });
    }
    expect(fetches()).toBe(10);
  });
});
