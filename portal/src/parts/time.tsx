import { gatewayNow } from '../api/gateway-clock';
import { UNITS } from './lengths';
import { useIsUtc } from './zone';

const FORMAT = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

/** Shows a time in the reader's zone, and in UTC on hover. A setting of the reader swaps the two. */
export function Time({ at }: { readonly at: string }) {
  const isUtc = useIsUtc();
  const time = new Date(at);
  const [local, utc] = [FORMAT.format(time), `${time.toISOString().replace('T', ' ').slice(0, 19)} UTC`];
  return (
    <time dateTime={at} title={isUtc ? local : utc}>
      {isUtc ? utc : local}
    </time>
  );
}

const CLOCK = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' });

/** Formats a time as the time of day on the reader's clock: “14:05:09”. */
export const clockOf = (at: number): string => CLOCK.format(at);

const RELATIVE = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' });

/** Formats the distance from the gateway's current time to `at` in one unit: “in 3 hours”, “2 days ago”. */
export function fromNow(at: string, now = gatewayNow()): string {
  const seconds = (Date.parse(at) - now) / 1000;
  const [unit, size] = UNITS.find(([, each]) => Math.abs(seconds) >= each) ?? UNITS[3];
  return RELATIVE.format(Math.trunc(seconds / size), unit);
}
