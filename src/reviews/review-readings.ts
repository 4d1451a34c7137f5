import type { DatabaseReading } from '../metrics/database-readings';

/** Reviews that wait, by the partial index of open ones. */
export const reviewReading: DatabaseReading = {
  sql: `
    SELECT count(*) FILTER (WHERE type = 'onetime') AS onetime, count(*) FILTER (WHERE type = 'jit') AS jit,
      coalesce(extract(epoch FROM clock_timestamp() - min(created_at) FILTER (WHERE type = 'onetime')), 0) AS onetime_age,
      coalesce(extract(epoch FROM clock_timestamp() - min(created_at) FILTER (WHERE type = 'jit')), 0) AS jit_age
    FROM reviews WHERE status = 'PENDING'`,
  columns: {
    onetime: { name: 'gateway_reviews_waiting', labels: { type: 'onetime' } },
    jit: { name: 'gateway_reviews_waiting', labels: { type: 'jit' } },
    onetime_age: { name: 'gateway_reviews_oldest_waiting_seconds', labels: { type: 'onetime' } },
    jit_age: { name: 'gateway_reviews_oldest_waiting_seconds', labels: { type: 'jit' } },
  },
};
