import { lengthOf } from '../../portal/src/parts/lengths';

describe('a length of time', () => {
  it.each([
    [0.25, '0.3 seconds'],
    [1, '1 second'],
    [1.6, '1.6 seconds'],
    [60, '1 minute'],
    [90, '1 minute 30 seconds'],
    [3_599, '59 minutes 59 seconds'],
    [3_600, '1 hour'],
    [5_400, '1 hour 30 minutes'],
    [7_199, '2 hours'],
    [129_600, '1 day 12 hours'],
    [172_800, '2 days'],
  ])('is not rounded to what it is not: %s seconds', (seconds, expected) => {
    expect(lengthOf(seconds)).toBe(expected);
  });
});
