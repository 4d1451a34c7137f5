/** The longest timer: clocks are set, machines sleep, and a timer of more than 2^31 ms would fire at once. */
const CHECK_EVERY_MS = 60_000;

/**
 * Calls `action` once the clock has reached that time; soon if it is past, and never for null. Keeps no process alive.
 * Returns a cancel function.
 * @param now The clock. It may be set while this waits.
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
