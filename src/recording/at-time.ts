/** No timer runs longer: clocks are set, machines sleep, and beyond 2^31 ms a timer would fire at once. */
const LOOK_AGAIN_MS = 60_000;

/**
 * Calls `action` once the clock shows that time, at once when it is past, and never for null. Keeps no process alive.
 * Returns how to call it off.
 * @param now What the clock shows; may be set.
 */
export function atTime(time: Date | null, action: () => void, now: () => number = Date.now): () => void {
  if (time === null) return () => undefined;
  let timer: NodeJS.Timeout;
  const look = (): void => {
    const left = time.getTime() - now();
    if (left <= 0) action();
    else timer = setTimeout(look, Math.min(left, LOOK_AGAIN_MS)).unref();
  };
  timer = setTimeout(look).unref();
  return () => clearTimeout(timer);
}
