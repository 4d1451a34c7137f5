import * as fc from '../../../test/support/fast-check';
import { retryAfterMs } from './webhook-sender';

const NOW = Date.parse('2026-01-31T08:00:00Z');
const DAY_MS = 86_400_000;

describe('the pause that an endpoint asks for', () => {
  it.each([
    [undefined, 0],
    ['0', 0],
    ['120', 120_000],
    ['86401', DAY_MS],
    ['9'.repeat(400), DAY_MS],
    ['Sat, 31 Jan 2026 08:00:30 GMT', 30_000],
    ['Sat, 31 Jan 2026 07:00:00 GMT', 0],
    ['Sun, 31 Jan 2027 08:00:00 GMT', DAY_MS],
    ['soon', 0],
    ['', 0],
    ['-5', 0],
  ])('is, of %s: %i ms', (header, pause) => {
    expect(retryAfterMs(header, NOW)).toBe(pause);
  });

  it('is never less than none and never more than a day', () => {
    fc.assert(
      fc.property(fc.string(), (header) => {
        const pause = retryAfterMs(header, NOW);
        expect(pause >= 0 && pause <= DAY_MS).toBe(true);
      }),
    );
  });
});
