/** Those that fail together must not all come back at the same moment: up to a fifth longer. */
const JITTER = 0.2;

/** A delivery that was tried in vain. */
interface Tried {
  readonly attempts: number;
  /** Milliseconds since it was queued. */
  readonly age: number;
}

/**
 * How long to wait before the next attempt, in milliseconds; undefined: there is none. What waited behind others for as
 * long as all attempts take is tried once: behind an endpoint that is gone for good, each of a long queue would take as
 * long as the first.
 * @param seconds After the first attempt, the second, …
 * @param chance From 0 to 1.
 */
export function retryDelay(
  { attempts, age }: Tried,
  seconds: readonly number[],
  chance = Math.random(),
): number | undefined {
  const delay = seconds[attempts - 1];
  const total = seconds.reduce((sum, each) => sum + each * 1000, 0);
  // Late for its own attempts, each is by the jitter and by how long the endpoint took.
  const isLate = attempts === 1 && age > total;
  return delay === undefined || isLate ? undefined : Math.round(delay * 1000 * (1 + JITTER * chance));
}
