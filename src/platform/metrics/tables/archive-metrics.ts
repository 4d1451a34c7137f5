import type { MetricTable } from '../definition/definition';

/** Recordings in object storage (`ARCHIVE_URL`). */
export const archiveMetrics = {
  gateway_archive_up: {
    kind: 'gauge',
    of: 'worker',
    help: '0 while object storage cannot be used. Missing without `ARCHIVE_URL`, and in workers that leave the archive to the first one.',
  },
  gateway_archive_recordings_moved_total: {
    kind: 'counter',
    of: 'worker',
    help: 'Recordings that this process moved to object storage.',
  },
  gateway_archive_moved_bytes_total: {
    kind: 'counter',
    of: 'worker',
    help: 'Bytes of their contents.',
  },
  gateway_archive_faults_total: {
    kind: 'counter',
    of: 'worker',
    help: 'What object storage did not do: no answer (`unreachable`), an answer that says no (`refused`), other bytes than were stored (`wrong`).',
    labels: { kind: ['unreachable', 'refused', 'wrong'] },
  },
  gateway_archive_recordings_waiting: {
    kind: 'gauge',
    of: 'database',
    help: 'Recordings that are to move, those of running sessions included, counted up to 100 000.',
  },
  gateway_archive_oldest_waiting_seconds: {
    kind: 'gauge',
    of: 'database',
    help: 'For how long the oldest of those whose move was tried has been noted; 0 if there is none.',
  },
  gateway_archive_recordings_refused: {
    kind: 'gauge',
    of: 'database',
    help: 'Recordings that stay in PostgreSQL because they are not what was recorded, counted up to 100 000.',
  },
  gateway_archive_removals_waiting: {
    kind: 'gauge',
    of: 'database',
    help: 'Recordings that retention removed and whose objects are there still, mostly because they are locked, counted up to 100 000.',
  },
} as const satisfies MetricTable;
