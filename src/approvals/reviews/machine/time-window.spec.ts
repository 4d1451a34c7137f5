import * as fc from '../../../../test/support/fast-check';
import { CLOCK_TIME, type TimeWindow, commonHours, isWithin } from './time-window';

const DAY = 1_440;
const clock = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
const window = (start: number, end: number): TimeWindow => ({
  type: 'time_range',
  configuration: { start_time: clock(start), end_time: clock(end) },
});
/** Returns the minutes of the day from the start to the end, by walking from one minute to the next. */
function minutesOf(start: number, end: number): Set<number> {
  const minutes = new Set<number>();
  for (let minute = start; minute !== end; minute = (minute + 1) % DAY) minutes.add(minute);
  return minutes;
}

const at = (time: string): number => Date.parse(`2026-03-01T${time}Z`);
const span = fc
  .tuple(fc.integer({ min: 0, max: DAY - 1 }), fc.integer({ min: 0, max: DAY - 1 }))
  .filter(([start, end]) => start !== end);

describe('a time window', () => {
  it.each([
    // [start and end of the time window, moment, whether the moment is within the time window]
    ['22:00', '06:00', '21:59:59.999', false],
    ['22:00', '06:00', '22:00:00.000', true],
    ['22:00', '06:00', '23:59:59.999', true],
    ['22:00', '06:00', '00:00:00.000', true],
    ['22:00', '06:00', '05:59:59.999', true],
    ['22:00', '06:00', '06:00:00.000', false],
    ['22:00', '06:00', '12:00:00.000', false],
    ['09:00', '17:00', '08:59:59.999', false],
    ['09:00', '17:00', '09:00:00.000', true],
    ['09:00', '17:00', '16:59:59.999', true],
    ['09:00', '17:00', '17:00:00.000', false],
    ['20:00', '00:00', '23:59:59.999', true],
    ['20:00', '00:00', '00:00:00.000', false],
    ['00:00', '23:59', '23:58:59.999', true],
    ['00:00', '23:59', '23:59:00.000', false],
  ])('from %s to %s has %s: %s', (start_time, end_time, moment, expected) => {
    const given: TimeWindow = { type: 'time_range', configuration: { start_time, end_time } };
    expect(isWithin(given, at(moment))).toBe(expected);
  });

  it('has the minutes from its start to its end', () => {
    fc.assert(
      fc.property(span, fc.integer({ min: 0, max: DAY - 1 }), ([start, end], minute) => {
        const moment = at(`${clock(minute)}:30.000`);
        expect(isWithin(window(start, end), moment)).toBe(minutesOf(start, end).has(minute));
      }),
      { numRuns: 2_000 },
    );
  });

  it('has in common with others what all of them have, if that is one stretch', () => {
    fc.assert(
      fc.property(fc.array(span, { minLength: 1, maxLength: 4 }), (spans) => {
        const common = commonHours(spans.map(([start, end]) => window(start, end)));
        const sets = spans.map(([start, end]) => minutesOf(start, end));
        const minutes = [...Array(DAY).keys()].filter((minute) => sets.every((set) => set.has(minute)));
        const starts = minutes.filter((minute) => !minutes.includes((minute + DAY - 1) % DAY));
        if (starts.length !== 1) return expect(common).toBeUndefined();
        const start = starts[0] as number;
        expect(common).toEqual(window(start, (start + minutes.length) % DAY));
      }),
      { numRuns: 500 },
    );
  });

  it('is none where nobody gave one', () => {
    expect(commonHours([])).toBeNull();
  });

  it('tells times of a day from anything else', () => {
    for (const good of ['00:00', '09:59', '23:59']) expect(good).toMatch(CLOCK_TIME);
    for (const bad of [
      '24:00',
      '9:00',
      '09:60',
      '0900',
      '09:00:00',
      ' 09:00',
      '09:00\n',
      '',
      '٠٩:٠٠',
      '-1:00',
    ])
      expect(bad).not.toMatch(CLOCK_TIME);
  });
});
