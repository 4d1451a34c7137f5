/** Maximum random increase of a delay, so that deliveries that failed together are retried separately. */
const JITTER = 0.2;

/** A delivery that failed. */
interface Tried {
  readonly attempts: number;
  /** Milliseconds since the delivery was queued. */
  readonly age: number;
}

/**
 * Returns the delay before the next attempt in milliseconds, or undefined if there is no further attempt. A
 * delivery that waited in its queue for longer than all attempts take gets only one attempt. Otherwise each
 * delivery of a long queue behind a dead endpoint would take as long as the first.
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
  // Only a first attempt can be late: later attempts may take longer than planned because of jitter and
  // slow answers.
  const isLate = attempts === 1 && age > total;
  return delay === undefined || isLate ? undefined : Math.round(delay * 1000 * (1 + JITTER * chance));
}
