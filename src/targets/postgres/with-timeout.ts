import { TargetFault } from './postgres-faults';

/**
 * Runs the work with a signal that aborts at the time-out or with the caller's signal. The reason is a
 * TargetFault: `TIMED_OUT` or `STOPPED`. Leaves no listener on the caller's signal, which may live for days.
 */
export async function withTimeout<T>(
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
