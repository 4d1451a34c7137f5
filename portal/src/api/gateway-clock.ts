/**
 * Difference of the clocks up to which the clock of the user's computer counts as right. Clocks differ by
 * seconds, the header `Date` has whole seconds, and a response takes time to arrive.
 */
const TOLERATED_MS = 30_000;

/** Milliseconds by which the clock of the user's computer is ahead of the gateway's clock. */
let aheadMs = 0;

/** Compares the clock of the user's computer with the header `Date` of the gateway's response. */
export function readClock({ headers }: Response): void {
  const ahead = Date.now() - Date.parse(headers.get('date') ?? '');
  if (!Number.isNaN(ahead)) aheadMs = Math.abs(ahead) > TOLERATED_MS ? ahead : 0;
}

/** Returns the current time at the gateway, because the gateway's clock decides when something expires. */
export const gatewayNow = (): number => Date.now() - aheadMs;
