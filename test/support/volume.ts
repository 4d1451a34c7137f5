/** Whether this is `npm run test:long`: corpora, models, random campaigns and large data at full size. */
export const IS_LONG = process.env['TEST_VOLUME'] === 'long';

/**
 * Number of cases of a test: `short` in `npm test`, `long` in `npm run test:long`. It proves the same, with
 * more cases.
 */
export function volume(short: number, long: number): number {
  return IS_LONG ? long : short;
}

/** All in `npm run test:long`; in `npm test` each one in so many, from first to last. */
export function someOf<T>(all: readonly T[], oneIn: number): readonly T[] {
  return IS_LONG ? all : all.filter((_, index) => index % oneIn === 0);
}

/**
 * All in `npm run test:long`. In `npm test` only `count` of them, where the same is tried of many things:
 * each thing, by its index, has the next ones, so that all have their turn.
 */
export function turnOf<T>(all: readonly T[], index: number, count: number): readonly T[] {
  if (IS_LONG || count >= all.length) return all;
  return all.filter((_, at) => (at - index * count + all.length * count * (index + 1)) % all.length < count);
}
