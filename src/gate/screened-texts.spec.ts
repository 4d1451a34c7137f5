import { clockOfLooks, turnsDuring } from '../../test/support/turns';
import { stillClock } from '../../test/support/still-clock';
import { GuardedTrail } from './guarded-trail';
import { PendingEvents } from './pending-events';
import type { GuardrailSet, Hit, OutputScreen, Screened } from './ports/guardrails';
import type { SessionTrail } from './ports/session-recorder';
import type { Target } from './ports/target-directory';
import { TextScreening } from './screened-texts';

const MANY = 50_000;
const hit: Hit = {
  ruleId: '1',
  ruleName: 'r',
  direction: 'output',
  index: 0,
  entry: {},
  findings: [],
  message: 'Not here.',
};

/** Screens that mark each text, and block the text `blocked`; asynchronous where `isLate` returns true. */
function screening(isLate: (text: string) => boolean, blocked?: string) {
  const screened: string[] = [];
  const openScreen = (): OutputScreen => ({
    before: '',
    push: (text) => {
      screened.push(text);
      const found: Screened =
        text === blocked
          ? { kind: 'block', hit }
          : { kind: 'pass', text: `${text}!`, upTo: text.length, masks: [] };
      return isLate(text) ? Promise.resolve(found) : found;
    },
    pushLines: () => {
      throw new Error('texts are no lines');
    },
    flush: () => {
      throw new Error('texts are screened as a whole');
    },
    finish: () => ({ kind: 'pass', text: '', upTo: 0, masks: [] }),
  });
  const rules: Partial<GuardrailSet> = { screensOutput: true, mayTouch: () => true, openScreen };
  const recorded: string[] = [];
  const trail: Partial<SessionTrail> = {
    masked: () => undefined,
    blocked: () => undefined,
    append: async (_, content) => void recorded.push(String(content)),
  };
  const guarded = new GuardedTrail({} as Target, trail as SessionTrail, {
    areCached: true,
    for: () => rules as GuardrailSet,
  });
  void guarded.askForRules();
  const events = new PendingEvents(trail as SessionTrail);
  return { texts: new TextScreening(guarded, events), screened, recorded };
}

const textsOf = (count: number): string[] => Array.from({ length: count }, (_, index) => String(index));

describe('many texts of an answer', () => {
  const ways: readonly [string, (text: string) => boolean][] = [
    ['at once', () => false],
    ['later', () => true],
    ['later for some', (text) => text.endsWith('7')],
  ];

  it.each(ways.flatMap(([name, isLate]) => [0, 1, 64, MANY].map((count) => ({ name, isLate, count }))))(
    'are screened in their order, each once: $count, answered $name',
    async ({ isLate, count }) => {
      const { texts, screened } = screening(isLate);
      const all = textsOf(count);
      expect(await texts.screen(all)).toEqual({ texts: all.map((text) => `${text}!`) });
      expect(screened).toEqual(all);
    },
  );

  it.each(ways)('are none when one of them is blocked, answered %s', async (_, isLate) => {
    const { texts, screened, recorded } = screening(isLate, '30007');
    expect(await texts.screen(textsOf(MANY))).toEqual({ blocked: 'Not here.' });
    expect(screened).toHaveLength(30_008);
    expect(recorded).toEqual(['Not here.\n']);
  });

  it('that are few are screened without waiting', () => {
    const clock = stillClock();
    const screened = screening(() => false).texts.screen(textsOf(5));
    clock.resume();
    expect(screened).toEqual({ texts: ['0!', '1!', '2!', '3!', '4!'] });
  });

  it('let others have their turns', async () => {
    const clock = clockOfLooks();
    try {
      const { texts } = screening(() => false);
      expect((await turnsDuring(() => texts.screen(textsOf(200)))).turns).toBeGreaterThan(50);
    } finally {
      clock.mockRestore();
    }
  });
});
