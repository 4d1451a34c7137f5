import type { MetricTable } from '../definition/definition';

const DESTINATIONS = ['otlp', 'syslog'] as const;
const REVIEWS = ['onetime', 'jit'] as const;
const FORCED = ['force', 'emergency'] as const;

/** Metrics of work that waits for people, and for other systems. */
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
  gateway_reviews_unsigned: {
    kind: 'gauge',
    of: 'database',
    help: 'Forced approvals (`force`) and emergencies (`emergency`) that nobody has signed off.',
    labels: { by: FORCED },
  },
  gateway_reviews_oldest_unsigned_seconds: {
    kind: 'gauge',
    of: 'database',
    help: 'Time since the oldest of them was approved; 0 if there is none.',
    labels: { by: FORCED },
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
  gateway_export_events_total: {
    kind: 'counter',
    of: 'worker',
    help: 'Events and lines of the audit log that were exported: `delivered`, or `refused` for good by the receiver.',
    labels: { destination: DESTINATIONS, result: ['delivered', 'refused'] },
  },
  gateway_export_failures_total: {
    kind: 'counter',
    of: 'worker',
    help: 'Attempts to export that failed; they are made again.',
    labels: { destination: DESTINATIONS },
  },
  gateway_telemetry_items_total: {
    kind: 'counter',
    of: 'worker',
    help: 'Spans (`traces`) and lines of the log (`logs`) that an OpenTelemetry collector took (`sent`), or did not take after a few attempts (`dropped`).',
    labels: { signal: ['logs', 'traces'], result: ['sent', 'dropped'] },
  },
  gateway_export_lag_seconds: {
    kind: 'gauge',
    of: 'database',
    help: 'Age of the oldest event that was not exported yet; 0 if all were. Not there for a destination that was never configured.',
    labels: { destination: DESTINATIONS },
  },
  gateway_export_events_waiting: {
    kind: 'gauge',
    of: 'database',
    help: 'Events that wait to be exported, counted up to 100 000.',
    labels: { destination: DESTINATIONS },
  },
} as const satisfies MetricTable;
