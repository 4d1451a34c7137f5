import type { DatabaseReading } from '../../platform/metrics/database-readings';

/** Maximum to which each number of recordings is counted. */
const COUNTED = 100_000;

function counted(state: string): string {
  return `(SELECT count(*) FROM (SELECT FROM session_archives WHERE state = '${state}' LIMIT ${COUNTED}) AS found)`;
}

/**
 * Numbers of recordings that wait to be moved or removed, and of refused ones. The partial indexes of the
 * queue and the maximum keep a scrape cheap, even after a long fault of the bucket.
 */
export const archiveReading: DatabaseReading = {
  sql: `
    SELECT ${counted('waiting')} AS waiting, ${counted('refused')} AS refused, ${counted('removing')} AS removing,
      coalesce((SELECT extract(epoch FROM clock_timestamp() - noted_at) FROM session_archives
        WHERE state = 'waiting' AND attempts > 0 ORDER BY noted_at LIMIT 1), 0) AS age`,
  columns: {
    waiting: { name: 'gateway_archive_recordings_waiting', labels: {} },
    age: { name: 'gateway_archive_oldest_waiting_seconds', labels: {} },
    refused: { name: 'gateway_archive_recordings_refused', labels: {} },
    removing: { name: 'gateway_archive_removals_waiting', labels: {} },
  },
};
