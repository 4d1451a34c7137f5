/**
 * Processes up to `depth` items of a source ahead of the consumer, and yields the results in order, so that
 * the consumer does not wait for each item. At most `depth` results are held.
 */
export async function* readAhead<T, R>(
  source: AsyncGenerator<T>,
  work: (item: T) => Promise<R>,
  depth: number,
): AsyncGenerator<R> {
  const waiting: Promise<{ readonly result: R } | undefined>[] = [];
  const take = (): void => {
    const next = source
      .next()
      .then(async (item) => (item.done ? undefined : { result: await work(item.value) }));
    // The consumer gets the error when it reaches this item. Until then, the rejection must not count as
    // unhandled.
    next.catch(() => undefined);
    waiting.push(next);
  };
  try {
    for (let n = 0; n < depth; n++) take();
    for (;;) {
      const next = await waiting.shift();
      if (next === undefined) return;
      take();
      yield next.result;
    }
  } finally {
    await source.return(undefined);
  }
}
