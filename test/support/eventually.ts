/**
 * Factor for slow machines. Tests multiply each time limit that the product promises by this factor. A test
 * that passes never waits for the whole limit.
 */
export const SLOWEST = 4;

/** Waits until `look` returns a truthy value, and returns it. Fails after `withinMs`. */
export async function eventually<T>(
  what: string,
  look: () => T | false | undefined | Promise<T | false | undefined>,
  withinMs = 5_000 * SLOWEST,
): Promise<T> {
  const began = performance.now();
  for (;;) {
    const seen = await look();
    if (seen) return seen;
    const waited = performance.now() - began;
    if (waited > withinMs) throw new Error(`not within ${withinMs} ms: ${what}`);
    // Waits a tenth of the time so far, because most calls of `look` query a gateway or a database.
    await new Promise((wait) => setTimeout(wait, Math.min(Math.max(waited / 10, 10), 200)));
  }
}
