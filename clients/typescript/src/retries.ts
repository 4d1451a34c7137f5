import { retryAfterOf } from './gateway-fault.js';

/** Options for repeating requests that failed temporarily. */
export interface Retries {
  /** Number of attempts, the first included. Default: 4. */
  readonly attempts?: number;
  /**
   * Longest wait in seconds. If the gateway requires a longer wait, the request fails at once, with
   * `retryAfterSeconds`. Default: 60; a day at most.
   */
  readonly longestWait?: number;
}

/** Methods that have the same effect once or several times (RFC 9110, section 9.2.2). */
const IDEMPOTENT = new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE']);
const TOO_MANY = 429;
const UNAVAILABLE = 503;
const DAY_SECONDS = 86_400;
/** Seconds before the second attempt if there is no Retry-After. Each further wait is twice as long. */
const FIRST_WAIT = 0.5;
const LONGEST_OWN_WAIT = 30;

/**
 * Repeats idempotent requests after 429, after 503, and when there was no answer. Waits for the gateway's
 * Retry-After, or else for a growing time. Waits are randomized, so that clients that were refused together
 * do not return together.
 */
export function withRetries(
  { attempts = 4, longestWait = 60 }: Retries,
  send: (request: Request) => Promise<Response>,
): (request: Request) => Promise<Response> {
  return async (request) => {
    const sent = IDEMPOTENT.has(request.method) ? attempts : 1;
    for (let attempt = 1; ; attempt++) {
      const isLast = attempt >= sent;
      let wait: number;
      try {
        const answer = await send(isLast ? request : request.clone());
        if (isLast || (answer.status !== TOO_MANY && answer.status !== UNAVAILABLE)) return answer;
        wait = waitBefore(attempt, retryAfterOf(answer));
        if (wait > Math.min(longestWait, DAY_SECONDS)) return answer;
        await answer.body?.cancel();
      } catch (error) {
        // `fetch` rejects with a TypeError when there was no answer. Errors of another type, such as those of
        // a token provider, are not retried.
        if (isLast || !(error instanceof TypeError) || request.signal.aborted) throw error;
        wait = waitBefore(attempt, undefined);
      }
      await pause(wait * 1000, request.signal);
    }
  };
}

/** Returns the seconds to wait: never less than the gateway's Retry-After (`asked`). */
export function waitBefore(attempt: number, asked: number | undefined, chance = Math.random()): number {
  const own = Math.min(LONGEST_OWN_WAIT, FIRST_WAIT * 2 ** (attempt - 1));
  return asked === undefined ? own * (0.5 + chance / 2) : asked + FIRST_WAIT * chance;
}

/** Waits. Rejects with the reason of the signal as soon as the signal aborts. */
export function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      // The signal has the reason of the abort.
      // oxlint-disable-next-line typescript/prefer-promise-reject-errors
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, milliseconds);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
}
