import { clockOfLooks, turnsDuring } from '../../test/support/turns';
import type { JudgedText } from './command';
import { GuardedTrail } from './guarded-trail';
import type { GuardrailSet, Hit, Verdict } from './ports/guardrails';
import type { SessionTrail } from './ports/session-recorder';
import type { Target } from './ports/target-directory';

const hit: Hit = {
  ruleId: '1',
  ruleName: 'r',
  direction: 'input',
  index: 0,
  entry: {},
  findings: [],
  message: 'Not here.',
};

/** A recording whose rules block the text `refused`, and judge asynchronously where `isLate` returns true. */
function judging(refused: string | undefined, isLate: (text: string) => boolean) {
  const judged: string[] = [];
  const rules: Partial<GuardrailSet> = {
    judge: (text) => {
      judged.push(text as string);
      const verdict: Verdict = text === refused ? { kind: 'block', hit } : { kind: 'pass' };
      return isLate(text as string) ? Promise.resolve(verdict) : verdict;
    },
  };
  const counts = { checked: 0, blocked: 0 };
  const trail: Partial<SessionTrail> = {
    checked: () => (counts.checked += 1),
    blocked: () => (counts.blocked += 1),
  };
  const guardrails = { areCached: true, for: () => rules as GuardrailSet };
  const guarded = new GuardedTrail({} as Target, trail as SessionTrail, guardrails);
  return { guarded, judged, counts };
}

const textsOf = (count: number): JudgedText[] =>
  Array.from({ length: count }, (_, index) => ({ text: String(index), as: 'value' }));

describe('many texts', () => {
  const ways: readonly [string, (text: string) => boolean][] = [
    ['at once', () => false],
    ['later', () => true],
    ['sometimes later', (text) => text.endsWith('7')],
  ];

  it.each(ways.flatMap(([name, isLate]) => [3, 100, 101, 5_000].map((count) => ({ name, isLate, count }))))(
    'are judged in their order, and counted as one command: $count, answered $name',
    async ({ isLate, count }) => {
      const texts = textsOf(count);
      const all = texts.map(({ text }) => text as string);
      const passing = judging(undefined, isLate);
      expect(await passing.guarded.judge(texts)).toBeUndefined();
      expect(passing.judged).toEqual(all);
      expect(passing.counts).toEqual({ checked: 1, blocked: 0 });
      const middle = Math.floor(count / 2);
      const refusing = judging(all[middle], isLate);
      expect(await refusing.guarded.judge(texts)).toMatchObject({
        reason: 'guardrail',
        message: 'Not here.',
      });
      expect(refusing.judged).toEqual(all.slice(0, middle + 1));
      expect(refusing.counts).toEqual({ checked: 1, blocked: 1 });
    },
  );

  it('let the event loop turn', async () => {
    const clock = clockOfLooks();
    try {
      const { guarded } = judging(undefined, () => false);
      expect((await turnsDuring(() => guarded.judge(textsOf(5_000)))).turns).toBeGreaterThan(500);
    } finally {
      clock.mockRestore();
    }
  });
});
