import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { WebhookSettings } from '../../platform/config/groups';
import { PeriodicTask } from '../../kernel/async/periodic-task';
import { WebhookDelivery } from './delivery.entity';

const FIRST_AFTER_MS = 60_000;
const EVERY_MS = 3_600_000;
/** Rows per batch. Each batch is a transaction of its own, so that locks are short. */
const BATCH = 1_000;

const IS_OLD = `created_at < now() - $1 * interval '1 day'`;
const TAKE = `LIMIT ${BATCH} FOR UPDATE OF old SKIP LOCKED`;

/**
 * Statements of one run, in order, because an event can be deleted only after its deliveries. When a
 * statement marks a delivery as dead, the trigger `webhook_deliveries_next` makes the next delivery of its
 * queue due.
 */
const STEPS: readonly string[] = [
  // When an event and a replay join an empty queue concurrently, both deliveries are first. When both end
  // concurrently, neither makes the next delivery due. This statement repairs such a queue.
  `UPDATE webhook_deliveries AS left_behind SET next_attempt_at = now()
   WHERE $1::int IS NOT NULL AND state = 'pending' AND next_attempt_at IS NULL AND NOT EXISTS (
     SELECT FROM webhook_deliveries AS ahead WHERE ahead.webhook_id = left_behind.webhook_id
       AND ahead.subject = left_behind.subject AND ahead.state = 'pending' AND ahead.position < left_behind.position)`,
  `UPDATE webhook_deliveries SET state = 'dead', finished_at = now(), next_attempt_at = NULL, lease = NULL,
     last_error = 'The webhook was disabled for too long.'
   WHERE state = 'pending' AND id IN (
     SELECT old.id FROM webhooks JOIN webhook_deliveries AS old ON old.org_id = webhooks.org_id
       AND old.webhook_id = webhooks.id AND old.state = 'pending' AND old.${IS_OLD}
     WHERE NOT webhooks.enabled ${TAKE})`,
  `DELETE FROM webhook_deliveries WHERE id IN (
     SELECT old.id FROM webhooks JOIN webhook_deliveries AS old ON old.org_id = webhooks.org_id
       AND old.webhook_id = webhooks.id AND old.state <> 'pending' AND old.${IS_OLD} AND old.finished_at < now() - interval '1 hour' ${TAKE})`,
  // Deletes the deliveries of deleted webhooks, whatever their age.
  `DELETE FROM webhook_deliveries WHERE $1::int IS NOT NULL AND id IN (
     SELECT old.id FROM webhook_deliveries AS old
     WHERE NOT EXISTS (SELECT FROM webhooks WHERE id = old.webhook_id) ${TAKE})`,
  // Deletes the cursors of destinations to which no gateway has exported for long, so that no events are
  // kept for them.
  `DELETE FROM export_cursors WHERE seen_at < now() - $1 * interval '1 day'`,
  `DELETE FROM outbox WHERE id IN (
     SELECT old.id FROM outbox AS old WHERE old.${IS_OLD}
       AND NOT EXISTS (SELECT FROM webhook_deliveries WHERE event_id = old.id)
       AND NOT EXISTS (SELECT FROM export_cursors WHERE position < old.position) ${TAKE})`,
];

/** Deletes old deliveries and events. Every gateway runs it and skips rows that another one has locked. */
@Injectable()
export class DeliveryRetention implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly log = new Logger(DeliveryRetention.name);
  private readonly task = new PeriodicTask({
    everyMs: EVERY_MS,
    firstAfterMs: FIRST_AFTER_MS,
    work: () => this.clear(),
    onError: (message) => this.log.warn(`Old webhook deliveries could not be deleted: ${message}`),
  });

  constructor(
    @InjectRepository(WebhookDelivery) private readonly deliveries: Repository<WebhookDelivery>,
    private readonly settings: WebhookSettings,
  ) {}

  onApplicationBootstrap(): void {
    this.task.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.task.stop();
  }

  async clear(): Promise<void> {
    for (const step of STEPS) {
      for (let changed = BATCH; changed === BATCH;) {
        const days = [this.settings.retentionDays];
        [, changed] = await this.deliveries.query<[unknown[], number]>(step, days);
      }
    }
  }
}
