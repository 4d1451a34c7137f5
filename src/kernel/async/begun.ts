/**
 * Waits for the first item and returns the same items. An error before the first item is thrown here, where
 * the caller can still answer with an error. The caller must read the result, or call its `return()`.
 */
export async function begun<T>(items: AsyncGenerator<T>): Promise<AsyncGenerator<T>> {
  const first = await items.next();
  return (async function* () {
    try {
      if (first.done === true) return;
      yield first.value;
      yield* items;
    } finally {
      await items.return(undefined);
    }
  })();
}
