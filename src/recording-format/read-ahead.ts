/**
 * Works on up to `depth` items of a source while the one before them is used, and gives the results in order:
 * whoever sends one part of a recording does not wait for the next. No more than `depth` results wait.
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
    // A fault is thrown when its turn comes; until then nobody looks.
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
