import { TargetFault } from './postgres-faults';

/**
 * Does the work under a signal that aborts when the time is up or the caller's signal does; its reason is a
 * TargetFault that says which. Nothing of it stays behind with the caller's signal, which may live for days.
 */
export async function within<T>(
  ms: number,
  signal: AbortSignal | undefined,
  work: (ended: AbortSignal) => Promise<T>,
): Promise<T> {
  const ending = new AbortController();
  const stop = (): void => ending.abort(new TargetFault('STOPPED'));
  const timer = setTimeout(() => ending.abort(new TargetFault('TIMED_OUT')), ms);
  timer.unref();
  if (signal?.aborted) stop();
  signal?.addEventListener('abort', stop, { once: true });
  try {
    return await work(ending.signal);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
  }
}
