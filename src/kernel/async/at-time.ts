/**
 * Maximum duration of one timer. Short timers notice in time that the clock was changed or that the machine
 * slept. A timer of more than 2^31 ms would fire at once.
 */
const CHECK_EVERY_MS = 60_000;

/**
 * Calls `action` once the clock has reached `time`: soon if `time` is past, never if it is null. Does not
 * keep the process alive. Returns a cancel function.
 * @param now the clock, which may be changed while this waits.
 */
export function atTime(time: Date | null, action: () => void, now: () => number = Date.now): () => void {
  if (time === null) return () => undefined;
  let timer: NodeJS.Timeout;
  const look = (): void => {
    const left = time.getTime() - now();
    if (left <= 0) action();
    else timer = setTimeout(look, Math.min(left, CHECK_EVERY_MS)).unref();
  };
  timer = setTimeout(look).unref();
  return () => clearTimeout(timer);
}
