import type { QueryCacheNotifyEvent } from '@tanstack/react-query';
import type { ApiFault } from './api-fault';
import { passes, pauseAfter, queries } from './queries';

/** Reason why the page waits for the gateway, and the time of the next request, by the user's clock. */
export interface Waiting {
  readonly fault: ApiFault;
  readonly until: number;
}

const listeners = new Set<() => void>();
let now: Waiting | undefined;

/** Reports failed requests of the page that are being repeated. */
export const waiting = {
  now: (): Waiting | undefined => now,
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};

function tell(next: Waiting | undefined): void {
  if (next === now) return;
  now = next;
  for (const listener of listeners) listener();
}

function failedIn(event: QueryCacheNotifyEvent): Waiting | undefined {
  if (event.type !== 'updated' || event.action.type !== 'failed') return undefined;
  const { error, failureCount } = event.action;
  return passes(error)
    ? { fault: error, until: Date.now() + pauseAfter(failureCount - 1, error) }
    : undefined;
}

const isAsked = (): boolean =>
  queries
    .getQueryCache()
    .getAll()
    .some(({ state }) => state.fetchStatus !== 'idle' && state.fetchFailureCount > 0);

queries.getQueryCache().subscribe((event) => {
  const failed = failedIn(event);
  if (failed !== undefined) tell(failed);
  else if (now !== undefined && !isAsked()) tell(undefined);
});
