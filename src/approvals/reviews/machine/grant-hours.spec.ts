import * as fc from '../../../../test/support/fast-check';
import { hoursAt } from './grant-hours';
import { isWithin } from './time-window';

const window = (start_time: string, end_time: string) =>
  ({ type: 'time_range', configuration: { start_time, end_time } }) as const;
const at = (time: string) => new Date(`2026-03-04T${time}Z`);

describe('the hours in which access may be used', () => {
  it('are all hours where nobody said any', () => {
    expect(hoursAt(null, at('03:00:00'))).toEqual({ kind: 'open', until: null });
  });

  it.each([
    ['09:00', '17:00', '09:00:00', '2026-03-04T17:00:00.000Z'],
    ['09:00', '17:00', '16:59:59.999', '2026-03-04T17:00:00.000Z'],
    ['22:00', '06:00', '22:00:00', '2026-03-05T06:00:00.000Z'],
    ['22:00', '06:00', '23:59:59.999', '2026-03-05T06:00:00.000Z'],
    ['22:00', '06:00', '00:00:00', '2026-03-04T06:00:00.000Z'],
    ['22:00', '06:00', '05:59:59.999', '2026-03-04T06:00:00.000Z'],
    ['18:00', '00:00', '18:00:00', '2026-03-05T00:00:00.000Z'],
  ])('%s to %s, at %s, go on until %s', (start, end, now, until) => {
    expect(hoursAt(window(start, end), at(now))).toEqual({ kind: 'open', until: new Date(until) });
  });

  it.each([
    ['09:00', '17:00', '08:59:59.999'],
    ['09:00', '17:00', '17:00:00'],
    ['22:00', '06:00', '06:00:00'],
    ['22:00', '06:00', '21:59:59.999'],
    ['18:00', '00:00', '00:00:00'],
  ])('%s to %s have not begun, or are over, at %s', (start, end, now) => {
    const message = `the approval can be used from ${start} to ${end} UTC only`;
    expect(hoursAt(window(start, end), at(now))).toEqual({ kind: 'closed', message });
  });

  it('end at a moment that is not theirs any more, and all before it is', () => {
    const time = fc
      .integer({ min: 0, max: 1439 })
      .map((m) => [Math.floor(m / 60), m % 60].map((part) => String(part).padStart(2, '0')).join(':'));
    const moment = fc.date({
      min: new Date('2026-01-01'),
      max: new Date('2027-01-01'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(time, time, moment, fc.double({ min: 0, max: 1, noNaN: true }), (start, end, now, part) => {
        fc.pre(start !== end);
        const hours = hoursAt(window(start, end), now);
        if (hours.kind === 'closed') return expect(isWithin(window(start, end), now.getTime())).toBe(false);
        const until = hours.until?.getTime() ?? Number.NaN;
        expect(until).toBeGreaterThan(now.getTime());
        expect(isWithin(window(start, end), until)).toBe(false);
        const before = now.getTime() + Math.floor((until - 1 - now.getTime()) * part);
        expect(isWithin(window(start, end), before)).toBe(true);
      }),
    );
  });
});
