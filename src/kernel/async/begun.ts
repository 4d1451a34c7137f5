/**
 * Waits for the first item and returns the same items. An error before the first item is thrown here, where
 * the caller can still answer with an error. The caller must read the result, or call its `return()`.
 */
export async function begun<T>(items: AsyncGenerator<T>): Promise<AsyncGenerator<T>> {
  const first = await items.next();
  return continued(first.done === true ? [] : [first.value], items);
}

/**
 * The items of `first`, then those of `rest`, a generator that was begun. `rest` is returned whenever the
 * result is, also before the first read.
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
  // A generator that was not begun ends without its `finally`.
  const end = items.return.bind(items);
  items.return = async (value) => {
    const ended = await end(value);
    await rest.return(undefined);
    return ended;
  };
  return items;
}
