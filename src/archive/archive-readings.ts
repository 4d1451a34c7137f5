import type { DatabaseReading } from '../metrics/database-readings';

/** Recordings on their way, by the partial indexes of the queue. */
export const archiveReading: DatabaseReading = {
  sql: `
    SELECT count(*) FILTER (WHERE state = 'waiting') AS waiting, count(*) FILTER (WHERE state = 'refused') AS refused,
      count(*) FILTER (WHERE state = 'removing') AS removing,
      coalesce(extract(epoch FROM clock_timestamp() - min(noted_at) FILTER (WHERE state = 'waiting' AND attempts > 0)), 0) AS age
    FROM session_archives WHERE state <> 'archived'`,
  columns: {
    waiting: { name: 'gateway_archive_recordings_waiting', labels: {} },
    age: { name: 'gateway_archive_oldest_waiting_seconds', labels: {} },
    refused: { name: 'gateway_archive_recordings_refused', labels: {} },
    removing: { name: 'gateway_archive_removals_waiting', labels: {} },
  },
};
