import { type SshFaultCode, sshFault } from './ssh-faults';

/**
 * Runs work of several steps, each with a time limit of its own. The signal of the work aborts with an
 * SshFault: the code of the step that took too long, or `STOPPED` when the caller's signal aborts. Leaves no
 * listener at that signal, which may live for days.
 */
export async function withStepLimits<T>(
  signal: AbortSignal | undefined,
  work: (ended: AbortSignal, beginStep: (withinMs: number, code: SshFaultCode) => void) => Promise<T>,
): Promise<T> {
  const ending = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const stop = (): void => ending.abort(sshFault('STOPPED'));
  if (signal?.aborted) stop();
  signal?.addEventListener('abort', stop, { once: true });
  try {
    return await work(ending.signal, (withinMs, code) => {
      clearTimeout(timer);
      timer = setTimeout(() => ending.abort(sshFault(code)), withinMs).unref();
    });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
  }
}
