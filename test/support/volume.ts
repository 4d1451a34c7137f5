/** Whether this is `npm run test:long`: corpora, models, random campaigns and large data at full size. */
export const IS_LONG = process.env['TEST_VOLUME'] === 'long';

/**
 * Number of cases of a test: `short` in `npm test`, `long` in `npm run test:long`. The test proves the same
 * with both numbers.
 */
export function volume(short: number, long: number): number {
  return IS_LONG ? long : short;
}

/** Returns all elements in `npm run test:long`; in `npm test` every `oneIn`-th, beginning with the first. */
export function someOf<T>(all: readonly T[], oneIn: number): readonly T[] {
  return IS_LONG ? all : all.filter((_, index) => index % oneIn === 0);
}

/**
 * Returns all elements in `npm run test:long`. In `npm test` returns `count` elements, beginning at
 * `index * count` (modulo the length), so that tests with different indexes together use all elements.
 */
export function turnOf<T>(all: readonly T[], index: number, count: number): readonly T[] {
  if (IS_LONG || count >= all.length) return all;
  return all.filter((_, at) => (at - index * count + all.length * count * (index + 1)) % all.length < count);
}
