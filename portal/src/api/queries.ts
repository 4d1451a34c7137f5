import { MutationCache, QueryClient } from '@tanstack/react-query';
import { ApiFault, isUnclear } from './api-fault';
import { sessionEnded } from './session-ended';
import { whenVisible } from './visibility';

const LONGEST_PAUSE_MS = 10_000;
/** Shortest Retry-After that is used. Dates have whole seconds, so a shorter wait may be a rounding error. */
const SHORTEST_ASKED_MS = 500;

/** Whether a fault is temporary: the gateway is not reached, is being replaced, or has too many requests. */
export const passes = (fault: unknown): fault is ApiFault =>
  fault instanceof ApiFault && [0, 429, 502, 503, 504].includes(fault.status);

/**
 * Returns the milliseconds to wait after `tries` failed tries and this fault. Uses the gateway's Retry-After
 * if it is at least `SHORTEST_ASKED_MS`.
 */
export function pauseAfter(tries: number, fault: unknown): number {
  const asked = passes(fault) ? (fault.retryAfterSeconds ?? 0) * 1000 : 0;
  return asked >= SHORTEST_ASKED_MS ? asked : Math.min(500 * 2 ** tries, LONGEST_PAUSE_MS);
}

export const queries = new QueryClient({
  mutationCache: new MutationCache({
    // It is unknown whether the change was made, so read the data again and show it.
    onError: (fault) => {
      if (isUnclear(fault)) void queries.invalidateQueries();
    },
  }),
  defaultOptions: {
    // Temporary faults are retried as long as the page is open and visible.
    queries: { retry: (_tries, fault) => passes(fault), retryDelay: pauseAfter, staleTime: 2_000 },
    // A change is sent now or not at all. The library's default would wait for the network and send it when
    // nobody expects it any more. A change that may have been made is not repeated automatically.
    mutations: { retry: false, networkMode: 'always' },
  },
});

// All tabs receive the event at once. Hidden tabs send no requests until they are visible.
sessionEnded.addEventListener('begun', () => void whenVisible().then(() => queries.invalidateQueries()));
