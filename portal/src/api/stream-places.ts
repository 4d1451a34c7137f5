/**
 * Browsers open six connections to an address over HTTP/1.1, for all tabs together. Streams leave some of
 * them to everything else.
 */
const PLACES = ['stream 1', 'stream 2', 'stream 3'];
/** Interval in which a tab that holds a place checks whether another tab waits for it. */
const LOOKED_EVERY_MS = 2_000;

/**
 * Does something that holds a connection for long, in one of a few places that
 * the tabs of a browser have together.
 * @param work ends when its signal is aborted: another tab wants the place. The next call waits for its turn
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
