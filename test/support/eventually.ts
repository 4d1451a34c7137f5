/**
 * How many times slower than intended a machine may be: time limits of promises are multiplied by it in
 * assertions. A test that passes never waits for it.
 */
export const SLOWEST = 4;

/** Waits until `look` returns a truthy value, and returns it. Fails after `withinMs`. */
export async function eventually<T>(
  what: string,
  look: () => Promise<T | false | undefined>,
  withinMs = 5_000 * SLOWEST,
): Promise<T> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const seen = await look();
    if (seen) return seen;
    if (performance.now() > deadline) throw new Error(`not within ${withinMs} ms: ${what}`);
    await new Promise((wait) => setTimeout(wait, 25));
  }
}
