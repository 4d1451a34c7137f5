/** Resolves with the result of the work, and the number of turns of the event loop meanwhile. */
export async function turnsDuring<T>(work: () => Promise<T> | T): Promise<{ value: T; turns: number }> {
  let turns = 0;
  let waiting = setImmediate(count);
  function count(): void {
    turns += 1;
    waiting = setImmediate(count);
  }
  try {
    return { value: await work(), turns };
  } finally {
    clearImmediate(waiting);
  }
}

/**
 * Replaces the clock by one that advances one millisecond with each reading, so that the number of turns
 * depends on the work alone.
 */
export function clockOfLooks(): jest.SpyInstance {
  let now = performance.now();
  return jest.spyOn(performance, 'now').mockImplementation(() => (now += 1));
}
