import { settlesWithin } from '../async/timeout';

/** The members of a pg-pool that are used here. */
export interface EndingPool {
  readonly totalCount: number;
  readonly idleCount: number;
  readonly waitingCount: number;
  on(event: 'remove', listener: () => void): unknown;
}

/** Time limit of each wait, so that a database that does not respond cannot delay the shutdown for long. */
const WITHIN_MS = 1_000;
const LOOK_EVERY_MS = 2;
/**
 * Number of consecutive checks that must find the pool idle. One check is not enough, because a running
 * request may do other work between two statements.
 */
const LOOKS = 3;

/**
 * Ends a pool once it is idle, and resolves when its connections are closed or the time limit is over.
 * `end()` of pg-pool alone resolves before the connections are closed. It also refuses later queries of
 * running requests that hold no client at that moment.
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

/** Resolves when all connections are closed: pg-pool emits `remove` after it closed a connection. */
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
