import type { DatabaseReading } from '../../../platform/metrics/database-readings';

/** Metrics query: number and age of pending reviews. A partial index makes it fast. */
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

/** Metrics query: number and age of approvals that wait for a sign-off. A partial index makes it fast. */
export const signOffReading: DatabaseReading = {
  sql: `
    SELECT count(*) FILTER (WHERE NOT emergency) AS forced, count(*) FILTER (WHERE emergency) AS emergency,
      coalesce(extract(epoch FROM clock_timestamp() - min(approved_at) FILTER (WHERE NOT emergency)), 0) AS forced_age,
      coalesce(extract(epoch FROM clock_timestamp() - min(approved_at) FILTER (WHERE emergency)), 0) AS emergency_age
    FROM reviews WHERE after_review = 'open'`,
  columns: {
    forced: { name: 'gateway_reviews_unsigned', labels: { by: 'force' } },
    emergency: { name: 'gateway_reviews_unsigned', labels: { by: 'emergency' } },
    forced_age: { name: 'gateway_reviews_oldest_unsigned_seconds', labels: { by: 'force' } },
    emergency_age: { name: 'gateway_reviews_oldest_unsigned_seconds', labels: { by: 'emergency' } },
  },
};
