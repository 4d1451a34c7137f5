/**
 * Largest clock difference that is ignored. Clocks differ by seconds, `Date` has whole seconds, and an answer
 * takes time to arrive. With a larger difference, the reader's clock counts as wrong.
 */
const TOLERATED_MS = 30_000;

/** Milliseconds by which the reader's clock is ahead of the gateway's. */
let aheadMs = 0;

/** Reads the gateway's time from an answer. */
export function readClock({ headers }: Response): void {
  const ahead = Date.now() - Date.parse(headers.get('date') ?? '');
  if (!Number.isNaN(ahead)) aheadMs = Math.abs(ahead) > TOLERATED_MS ? ahead : 0;
}

/** The time at the gateway, which decides when something expires. */
export const gatewayNow = (): number => Date.now() - aheadMs;
