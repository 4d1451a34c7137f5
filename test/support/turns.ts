/** Resolves with what the work resolves with, and how many turns of the event loop others had meanwhile. */
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

/** Makes time pass by a millisecond each time somebody looks at the clock: how often the event loop turns depends on the work alone. */
export function clockOfLooks(): jest.SpyInstance {
  let now = performance.now();
  return jest.spyOn(performance, 'now').mockImplementation(() => (now += 1));
}
