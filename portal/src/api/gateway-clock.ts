/**
 * Clocks differ by seconds, `Date` has whole ones, and an answer takes its
 * time. Beyond this the reader's clock is wrong.
 */
const TOLERATED_MS = 30_000;

/** By how much the reader's clock is ahead of the gateway's. */
let aheadMs = 0;

/** Learns the time of the gateway from an answer. */
export function readClock({ headers }: Response): void {
  const ahead = Date.now() - Date.parse(headers.get('date') ?? '');
  if (!Number.isNaN(ahead)) aheadMs = Math.abs(ahead) > TOLERATED_MS ? ahead : 0;
}

/** The time at the gateway, which decides when something expires. */
export const gatewayNow = (): number => Date.now() - aheadMs;
