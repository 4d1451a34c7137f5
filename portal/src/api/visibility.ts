const isVisible = (): boolean => document.visibilityState === 'visible';

/**
 * Resolves when the page is visible; at once if it is visible now. @throws the reason of the signal, when the
 * signal is aborted
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
 * Waits until the page is visible, then runs `work`. Aborts the signal of `work` when the page is hidden or
 * `signal` is aborted.
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
