/** Those that fail together must not all come back at the same moment: up to a fifth longer. */
const JITTER = 0.2;

/**
 * How long to wait after so many attempts before the next one, in milliseconds; undefined: there is no next one.
 * @param seconds After the first attempt, the second, …
 * @param chance From 0 to 1.
 */
export function retryDelay(
  attempts: number,
  seconds: readonly number[],
  chance = Math.random(),
): number | undefined {
  const delay = seconds[attempts - 1];
  return delay === undefined ? undefined : Math.round(delay * 1000 * (1 + JITTER * chance));
}
