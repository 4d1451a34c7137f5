import { InlineWriteBudget } from './inline-write-budget';

describe('the budget for writes on the event loop', () => {
  it('is not exhausted by single pauses, such as those of a busy processor', () => {
    const patience = new InlineWriteBudget();
    for (let now = 0; now < 60_000; now += 300) patience.recordWrite(now, now + 12);
    for (let now = 0; now < 60_000; now += 1) patience.recordWrite(now, now + 0.5);
    expect(patience.isExhausted(60_000)).toBe(false);
  });

  it.each([[[160]], [[20, 30, 25, 40, 35, 10]]])(
    'is exhausted for a while when a second is lost to %j',
    (times) => {
      const patience = new InlineWriteBudget();
      let now = 1_000;
      for (const time of times) {
        patience.recordWrite(now, now + time);
        now += time + 20;
      }
      expect(patience.isExhausted(now)).toBe(true);
      expect(patience.isExhausted(now + 9_000)).toBe(true);
      expect(patience.isExhausted(now + 11_000)).toBe(false);
    },
  );
});
