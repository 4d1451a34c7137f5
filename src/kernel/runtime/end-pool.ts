import { settlesWithin } from '../async/timeout';

/** The used part of a pool of the driver. */
export interface EndingPool {
  readonly totalCount: number;
  readonly idleCount: number;
  readonly waitingCount: number;
  on(event: 'remove', listener: () => void): unknown;
}

/** A silent database must not delay the shutdown for longer than this, once for each of the two waits. */
const WITHIN_MS = 1_000;
const LOOK_EVERY_MS = 2;
/**
 * Between two statements, a request may do other work: it has ended when
 * nothing is used at so many looks in a row.
 */
const LOOKS = 3;

/**
 * Ends a pool when nobody uses it, and resolves when its connections are closed. `end()` of pg-pool resolves
 * as soon as it has asked for that, and refuses what requests without a client still ask.
 * @param end calls the pool's `end`
 */
export async function endPool(pool: EndingPool, end: () => Promise<void>): Promise<void> {
  await untilAtRest(pool);
  const closed = allRemoved(pool);
  if (await settlesWithin(end(), WITHIN_MS)) await settlesWithin(closed, WITHIN_MS);
}

async function untilAtRest(pool: EndingPool): Promise<void> {
  const limit = performance.now() + WITHIN_MS;
  for (let looks = 0; looks < LOOKS && performance.now() < limit;) {
    const isAtRest = pool.waitingCount === 0 && pool.idleCount === pool.totalCount;
    looks = isAtRest ? looks + 1 : 0;
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}

/** pg-pool reports a client as removed when its connection is closed. */
function allRemoved(pool: EndingPool): Promise<void> {
  let open = pool.totalCount;
  if (open === 0) return Promise.resolve();
  return new Promise((resolve) => {
    pool.on('remove', () => {
      open -= 1;
      if (open === 0) resolve();
    });
  });
}
