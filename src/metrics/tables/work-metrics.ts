import type { MetricTable } from '../definition';

const REVIEWS = ['onetime', 'jit'] as const;

/** What waits for people, and for other systems. */
export const workMetrics = {
  gateway_reviews_waiting: {
    kind: 'gauge',
    of: 'database',
    help: 'Reviews that nobody has decided: of scripts and calls (`onetime`), and of access for a while (`jit`).',
    labels: { type: REVIEWS },
  },
  gateway_reviews_oldest_waiting_seconds: {
    kind: 'gauge',
    of: 'database',
    help: 'Age of the oldest of them; 0 if there is none.',
    labels: { type: REVIEWS },
  },
  gateway_webhook_attempts_total: {
    kind: 'counter',
    of: 'worker',
    help: 'Attempts to send a webhook.',
    labels: { result: ['delivered', 'failed'] },
  },
  gateway_webhook_deliveries_waiting: {
    kind: 'gauge',
    of: 'database',
    help: 'Deliveries that wait for their first or next attempt.',
  },
  gateway_webhook_oldest_waiting_seconds: {
    kind: 'gauge',
    of: 'database',
    help: 'Age of the oldest of them; 0 if there is none.',
  },
} as const satisfies MetricTable;
