const isVisible = (): boolean => document.visibilityState === 'visible';

/**
 * Resolves when the page is in sight: at once where it is. @throws the reason
 * of the signal, when it is aborted
 */
export function whenVisible(signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) return reject(signal.reason as Error);
    if (isVisible()) return resolve();
    const over = new AbortController();
    const listening = { signal: over.signal };
    const changed = (): void => {
      if (!isVisible()) return;
      over.abort();
      resolve();
    };
    const left = (): void => {
      over.abort();
      reject(signal?.reason as Error);
    };
    document.addEventListener('visibilitychange', changed, listening);
    signal?.addEventListener('abort', left, listening);
  });
}

/**
 * Does something as long as the page is in sight, from when it is. The signal that it gets is aborted when it
 * is not, and with the one that is given.
 */
export async function whileVisible(
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  await whenVisible(signal);
  const hidden = new AbortController();
  const over = new AbortController();
  const changed = (): void => {
    if (!isVisible()) hidden.abort();
  };
  document.addEventListener('visibilitychange', changed, { signal: over.signal });
  try {
    await work(AbortSignal.any([signal, hidden.signal]));
  } finally {
    over.abort();
  }
}
