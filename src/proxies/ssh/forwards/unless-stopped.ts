import { FirstAbort } from '../../../kernel/async/first-abort';

/**
 * Waits for something that the other side opens, which may take long. Closes what comes too late.
 * @throws the reason of the first signal that aborts, or the error of `opening`
 */
export function unlessStopped<T extends { close(): void }>(
  opening: Promise<T>,
  stops: readonly AbortSignal[],
): Promise<T> {
  const first = new FirstAbort(stops);
  const { signal } = first;
  return new Promise<T>((resolve, reject) => {
    const stop = (): void => reject(signal.reason as Error);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
    opening
      .then((opened) => (signal.aborted ? opened.close() : resolve(opened)), reject)
      .finally(() => first.release());
  });
}
