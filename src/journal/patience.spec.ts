import { Patience } from './patience';

describe('patience with a disk', () => {
  it('is not over for a pause now and then, as a busy processor makes it', () => {
    const patience = new Patience();
    for (let now = 0; now < 60_000; now += 300) patience.took(now, now + 12);
    for (let now = 0; now < 60_000; now += 1) patience.took(now, now + 0.5);
    expect(patience.isOver(60_000)).toBe(false);
  });

  it.each([[[160]], [[20, 30, 25, 40, 35, 10]]])(
    'is over for a while when a second is lost to %j',
    (times) => {
      const patience = new Patience();
      let now = 1_000;
      for (const time of times) {
        patience.took(now, now + time);
        now += time + 20;
      }
      expect(patience.isOver(now)).toBe(true);
      expect(patience.isOver(now + 9_000)).toBe(true);
      expect(patience.isOver(now + 11_000)).toBe(false);
    },
  );
});
