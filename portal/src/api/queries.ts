import { MutationCache, QueryClient } from '@tanstack/react-query';
import { ApiFault, isUnclear } from './api-fault';
import { sessionEnded } from './session-ended';
import { whenVisible } from './visibility';

const LONGEST_PAUSE_MS = 10_000;
/** Dates have whole seconds: one that is nearly there may be less than a second away. */
const SHORTEST_ASKED_MS = 500;

/** Faults that pass: no gateway is there, one is being replaced, or there are too many requests. */
export const passes = (fault: unknown): fault is ApiFault =>
  fault instanceof ApiFault && [0, 429, 502, 503, 504].includes(fault.status);

/**
 * Milliseconds until a request is repeated that failed so many times before. The gateway's Retry-After holds,
 * unless it is 0 or a date that is over.
 */
export function pauseAfter(tries: number, fault: unknown): number {
  const asked = passes(fault) ? (fault.retryAfterSeconds ?? 0) * 1000 : 0;
  return asked >= SHORTEST_ASKED_MS ? asked : Math.min(500 * 2 ** tries, LONGEST_PAUSE_MS);
}

export const queries = new QueryClient({
  mutationCache: new MutationCache({
    // Whether it was made is asked of the gateway, and shown as soon as it answers.
    onError: (fault) => {
      if (isUnclear(fault)) void queries.invalidateQueries();
    },
  }),
  defaultOptions: {
    // Retries as long as the page is open and visible.
    queries: { retry: (_tries, fault) => passes(fault), retryDelay: pauseAfter, staleTime: 2_000 },
    // A person's change is sent now, or not at all: the library's usual mode waits for the network, and sends
    // it when nobody expects it any more. A change that may have been made is not repeated by itself.
    mutations: { retry: false, networkMode: 'always' },
  },
});

// All tabs receive it at once. Hidden tabs wait until they are visible before they ask.
sessionEnded.addEventListener('begun', () => void whenVisible().then(() => queries.invalidateQueries()));
