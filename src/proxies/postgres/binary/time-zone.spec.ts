import { volume } from '../../../../test/support/volume';
import { zoneOffset } from './time-zone';

const EPOCH_MS = Date.UTC(2000, 0, 1);
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

const offset = (zone: string, at: number): number => zoneOffset(zone, BigInt(at - EPOCH_MS) * 1_000n);

describe('the offset of a time zone', () => {
  // PostgreSQL's `extract(timezone FROM …)` returns these offsets.
  it.each([
    ['America/St_Johns', '2010-03-14T03:30:59Z', -12_600],
    ['America/St_Johns', '2010-03-14T03:31:00Z', -9_000],
    ['America/St_Johns', '2010-11-07T02:30:59Z', -9_000],
    ['America/St_Johns', '2010-11-07T02:31:00Z', -12_600],
    ['Africa/Monrovia', '1972-01-07T00:44:29Z', -2_670],
    ['Africa/Monrovia', '1972-01-07T00:44:30Z', 0],
    ['Europe/Berlin', '+275760-09-13T00:00:00.000Z', 7_200],
    ['Asia/Kathmandu', '2026-06-01T00:00:00Z', 20_700],
    ['Australia/Lord_Howe', '2026-04-04T14:59:59Z', 39_600],
    ['Australia/Lord_Howe', '2026-04-04T15:00:00Z', 37_800],
  ])('in %s at %s is %i', (zone, at, expected) => {
    expect(offset(zone, Date.parse(at))).toBe(expected);
  });

  it('is that of the time itself, around every change of the years 1970 to 2037', () => {
    const zones = Intl.supportedValuesOf('timeZone').filter((_, at) => at % volume(100, 1) === 0);
    for (const zone of new Set([...zones, 'America/St_Johns'])) {
      const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
      const shown = (at: number) => format.format(at).split('GMT')[1] ?? '';
      for (const change of changesOf(shown)) {
        const [before, after] = [offset(zone, change - 1), offset(zone, change)];
        expect([zone, change, before === after]).toEqual([zone, change, false]);
        expect([zone, change, offset(zone, change - 15 * MINUTE_MS)]).toEqual([zone, change, before]);
        expect([zone, change, offset(zone, change + 15 * MINUTE_MS)]).toEqual([zone, change, after]);
      }
    }
  });
});

/** Returns the times of all offset changes in milliseconds. Finds each by bisection within ten days. */
function changesOf(shown: (at: number) => string): number[] {
  const changes: number[] = [];
  for (let from = 0; from < Date.UTC(2037, 0, 1); from += 10 * DAY_MS) {
    let [low, high] = [from, from + 10 * DAY_MS];
    if (shown(low) === shown(high)) continue;
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (shown(middle) === shown(low)) low = middle;
      else high = middle;
    }
    changes.push(high);
  }
  return changes;
}
