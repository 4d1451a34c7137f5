import type { DatabaseReading } from '../metrics/database-readings';

/** Maximum value of the metric `gateway_export_events_waiting`, so that counting stays cheap. */
const COUNTED = 100_000;

function lag(destination: string): string {
  return `(SELECT coalesce((SELECT extract(epoch FROM clock_timestamp() - created_at) FROM outbox
      WHERE position > cursor.position ORDER BY position LIMIT 1), 0)
    FROM export_cursors AS cursor WHERE destination = '${destination}')`;
}

function waiting(destination: string): string {
  return `(SELECT (SELECT count(*) FROM (SELECT FROM outbox WHERE position > cursor.position LIMIT ${COUNTED}) AS later)
    FROM export_cursors AS cursor WHERE destination = '${destination}')`;
}

/** Reads the lag of each export; no value for a destination that has never been configured. */
export const exportReading: DatabaseReading = {
  sql: `
    SELECT ${lag('otlp')} AS otlp_lag, ${waiting('otlp')} AS otlp_waiting,
      ${lag('syslog')} AS syslog_lag, ${waiting('syslog')} AS syslog_waiting`,
  columns: {
    otlp_lag: { name: 'gateway_export_lag_seconds', labels: { destination: 'otlp' } },
    otlp_waiting: { name: 'gateway_export_events_waiting', labels: { destination: 'otlp' } },
    syslog_lag: { name: 'gateway_export_lag_seconds', labels: { destination: 'syslog' } },
    syslog_waiting: { name: 'gateway_export_events_waiting', labels: { destination: 'syslog' } },
  },
};
