/**
 * Waits for the first item, then returns a generator of all items. Throws an error that occurs before the
 * first item, so that the caller can still answer with it. The caller must read the result, or call its
 * `return()`.
 */
export async function begun<T>(items: AsyncGenerator<T>): Promise<AsyncGenerator<T>> {
  const first = await items.next();
  return continued(first.done === true ? [] : [first.value], items);
}

/**
 * Yields the items of `first`, then those of `rest`, a generator that has started. `return()` of the result
 * also calls `return()` of `rest`, even before the first read.
 */
export function continued<T>(first: readonly T[], rest: AsyncGenerator<T>): AsyncGenerator<T> {
  const items = (async function* () {
    try {
      yield* first;
      yield* rest;
    } finally {
      await rest.return(undefined);
    }
  })();
  // Replaces `return()`, which does not run the `finally` of a generator that has not started.
  const end = items.return.bind(items);
  items.return = async (value) => {
    const ended = await end(value);
    await rest.return(undefined);
    return ended;
  };
  return items;
}
