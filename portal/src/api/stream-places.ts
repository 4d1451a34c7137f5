/**
 * Names of the locks for open streams, one per stream. A browser opens at most six HTTP/1.1 connections to an
 * address, for all tabs together. Three streams leave three connections for other requests.
 */
const PLACES = ['stream 1', 'stream 2', 'stream 3'];
/** Interval at which a tab with a stream checks whether another tab waits for a lock. */
const LOOKED_EVERY_MS = 2_000;

/**
 * Runs `work`, which keeps a connection open for long, under one of the few locks that all tabs of a browser
 * share. Waits while other tabs hold all locks.
 * @param work must end when its signal is aborted, so that a waiting tab gets the lock
 */
export async function inPlace(
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  for (const name of PLACES) {
    const isDone = await navigator.locks.request(name, { ifAvailable: true }, async (lock) => {
      if (lock !== null) await working(name, signal, work);
      return lock !== null;
    });
    if (isDone) return;
  }
  const any = PLACES[Math.floor(Math.random() * PLACES.length)] ?? '';
  await navigator.locks.request(any, { signal }, () => working(any, signal, work));
}

async function working(
  name: string,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const wanted = new AbortController();
  const look = async (): Promise<void> => {
    const { pending = [] } = await navigator.locks.query();
    if (pending.some((one) => one.name === name)) wanted.abort();
  };
  const looking = setInterval(() => void look(), LOOKED_EVERY_MS);
  try {
    await work(AbortSignal.any([signal, wanted.signal]));
  } finally {
    clearInterval(looking);
  }
}
