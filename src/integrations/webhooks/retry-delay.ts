/** Delays are up to a fifth longer, so that deliveries which failed together are not retried together. */
const JITTER = 0.2;

/** A delivery that failed. */
interface Tried {
  readonly attempts: number;
  /** Milliseconds since it was queued. */
  readonly age: number;
}

/**
 * Delay before the next attempt in milliseconds; undefined: no further attempt. A delivery that waited in its
 * queue for longer than all attempts take gets only one: behind a dead endpoint, each delivery of a long
 * queue would otherwise take as long as the first.
 * @param seconds delays after the first attempt, the second, …
 * @param chance random number from 0 to 1.
 */
export function retryDelay(
  { attempts, age }: Tried,
  seconds: readonly number[],
  chance = Math.random(),
): number | undefined {
  const delay = seconds[attempts - 1];
  const total = seconds.reduce((sum, each) => sum + each * 1000, 0);
  // The attempts of a single delivery may also take longer than planned, because of jitter and slow answers;
  // only a first attempt can be late.
  const isLate = attempts === 1 && age > total;
  return delay === undefined || isLate ? undefined : Math.round(delay * 1000 * (1 + JITTER * chance));
}
