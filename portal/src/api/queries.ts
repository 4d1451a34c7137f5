import { QueryClient } from '@tanstack/react-query';
import { ApiFault } from './api-fault';
import { sessionEnded } from './session-ended';

const MOST_TRIES = 5;
const LONGEST_PAUSE_MS = 10_000;

/** Faults that pass: no gateway is there, one is being replaced, or there are too many requests. */
const passes = (fault: Error): fault is ApiFault =>
  fault instanceof ApiFault && [0, 429, 502, 503, 504].includes(fault.status);

export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      retry: (tries, fault) => passes(fault) && tries < MOST_TRIES,
      retryDelay: (tries, fault) =>
        passes(fault) && fault.retryAfterSeconds !== undefined
          ? fault.retryAfterSeconds * 1000
          : Math.min(500 * 2 ** tries, LONGEST_PAUSE_MS),
      staleTime: 2_000,
    },
    // A change that may have been made is not made again by itself.
    mutations: { retry: false },
  },
});

sessionEnded.addEventListener('begun', () => void queries.invalidateQueries());
