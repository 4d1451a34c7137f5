/** Waits until `look` brings something truthy, and returns it. Fails after `withinMs`. */
export async function eventually<T>(
  what: string,
  look: () => Promise<T | false | undefined>,
  withinMs = 5_000,
): Promise<T> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const seen = await look();
    if (seen) return seen;
    if (performance.now() > deadline) throw new Error(`not within ${withinMs} ms: ${what}`);
    await new Promise((wait) => setTimeout(wait, 25));
  }
}
