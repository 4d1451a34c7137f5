import { QueryClient } from '@tanstack/react-query';
import { ApiFault } from './api-fault';
import { sessionEnded } from './session-ended';
import { whenVisible } from './visibility';

const LONGEST_PAUSE_MS = 10_000;
/** Dates have whole seconds: one that is nearly there may be less than a second away. */
const SHORTEST_ASKED_MS = 500;

/** Faults that pass: no gateway is there, one is being replaced, or there are too many requests. */
export const passes = (fault: unknown): fault is ApiFault =>
  fault instanceof ApiFault && [0, 429, 502, 503, 504].includes(fault.status);

/**
 * Milliseconds until a request is made again that failed so many times before: as many as the gateway says, if it says more than that it can be made
 * at once (`Retry-After: 0`, or a date that is over).
 */
export function pauseAfter(tries: number, fault: unknown): number {
  const asked = passes(fault) ? (fault.retryAfterSeconds ?? 0) * 1000 : 0;
  return asked >= SHORTEST_ASKED_MS ? asked : Math.min(500 * 2 ** tries, LONGEST_PAUSE_MS);
}

export const queries = new QueryClient({
  defaultOptions: {
    // As long as the page is open, and in sight.
    queries: { retry: (_tries, fault) => passes(fault), retryDelay: pauseAfter, staleTime: 2_000 },
    // A change that may have been made is not made again by itself.
    mutations: { retry: false },
  },
});

// All tabs hear of it at once: those that nobody looks at ask when somebody does.
sessionEnded.addEventListener('begun', () => void whenVisible().then(() => queries.invalidateQueries()));
