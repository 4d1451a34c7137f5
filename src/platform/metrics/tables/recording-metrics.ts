import type { MetricTable } from '../definition/definition';

export const recordingMetrics = {
  gateway_recording_events_received_total: {
    kind: 'counter',
    of: 'worker',
    help: 'Events of sessions that were given to the recorder.',
  },
  gateway_recording_events_stored_total: {
    kind: 'counter',
    of: 'worker',
    help: 'Events of sessions that this process stored in PostgreSQL.',
  },
  gateway_recording_sessions_waiting: {
    kind: 'gauge',
    of: 'worker',
    help: 'Sessions with something that waits to be stored.',
  },
  gateway_recording_lag_seconds: {
    kind: 'gauge',
    of: 'worker',
    help: 'For how long the oldest of it has waited, at most; 0 if all is stored.',
  },
  gateway_recording_waiting_bytes: {
    kind: 'gauge',
    of: 'worker',
    help: 'Memory of events that wait to be stored.',
  },
  gateway_recording_waiting_limit_bytes: {
    kind: 'gauge',
    of: 'worker',
    help: 'Its limit (`RECORDING_BUFFER_MB`): beyond it, targets are read only as fast as events are stored.',
  },
  gateway_recording_store_up: {
    kind: 'gauge',
    of: 'worker',
    help: '0 while recordings cannot be stored.',
  },
  gateway_journal_up: {
    kind: 'gauge',
    of: 'worker',
    help: '0 while the journal cannot be written: nothing is let through then.',
  },
  gateway_journal_faults_total: {
    kind: 'counter',
    of: 'worker',
    help: 'Writes to the journal that failed.',
  },
  gateway_journal_written_bytes_total: {
    kind: 'counter',
    of: 'worker',
    help: 'Bytes that were written to the journal.',
  },
  gateway_journal_bytes: {
    kind: 'gauge',
    of: 'worker',
    help: 'Size of the journal on the disk.',
  },
} as const satisfies MetricTable;
