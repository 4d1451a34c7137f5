import type { DatabaseReading } from '../../platform/metrics/database-readings';

/** Query for the number and the age of pending deliveries. It uses the partial index of the queue. */
export const deliveryReading: DatabaseReading = {
  sql: `
    SELECT count(*) AS waiting, coalesce(extract(epoch FROM clock_timestamp() - min(queued_at)), 0) AS age
    FROM webhook_deliveries WHERE state = 'pending'
      AND EXISTS (SELECT FROM webhooks WHERE webhooks.id = webhook_deliveries.webhook_id)`,
  columns: {
    waiting: { name: 'gateway_webhook_deliveries_waiting', labels: {} },
    age: { name: 'gateway_webhook_oldest_waiting_seconds', labels: {} },
  },
};
