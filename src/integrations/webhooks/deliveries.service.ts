import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, type FindOneOptions, Repository } from 'typeorm';
import { ChangeFeed } from '../../platform/database/feed/change-feed';
import { newestFirst } from '../../platform/database/newest-first';
import type { Change } from '../../platform/http/routes/change';
import { pageOf, pageWindow } from '../../platform/http/dto/page';
import { AppError } from '../../kernel/app-error';
import { type DeliveryPage, type DeliveryQuery, type DeliveryView, deliveryView } from './delivery.dto';
import { WebhookDelivery } from './delivery.entity';
import { Webhook } from './webhook.entity';
import { webhookNotFound } from './webhooks.service';

/** Lists, replays and tests deliveries for admins. */
@Injectable()
export class DeliveriesService {
  constructor(@InjectRepository(WebhookDelivery) private readonly deliveries: Repository<WebhookDelivery>) {}

  async list(orgId: string, webhookId: string, query: DeliveryQuery): Promise<DeliveryPage> {
    if (!(await this.deliveries.manager.existsBy(Webhook, { orgId, id: webhookId }))) throw webhookNotFound();
    const [rows, total] = await newestFirst(this.deliveries, orgId, pageWindow(query), (builder) => {
      builder.andWhere('listed.webhook_id = :webhookId', { webhookId });
      if (query.state !== undefined) builder.andWhere('listed.state = :state', { state: query.state });
    });
    return pageOf(query, rows.map(deliveryView), total);
  }

  /**
   * Puts the delivery at the end of its queue again, with the full number of attempts.
   * @throws AppError `conflict` if it is already pending, or the webhook is disabled.
   */
  async replay(change: Change, webhookId: string, id: string): Promise<DeliveryView> {
    const { orgId } = change.actor;
    return this.deliveries.manager.transaction(async (db) => {
      // Serializes replays, because otherwise two concurrent replays could both be first in an empty queue.
      await requireEnabled(db, orgId, webhookId, { mode: 'for_no_key_update' });
      const delivery = await db.findOne(WebhookDelivery, {
        where: { orgId, webhookId, id },
        lock: { mode: 'for_no_key_update' },
      });
      if (delivery === null) throw new AppError('not_found', 'the webhook has no delivery with this id');
      if (delivery.state === 'pending') throw new AppError('conflict', 'the delivery is already pending');
      await db.query(
        `UPDATE webhook_deliveries SET state = 'pending', attempts = 0, queued_at = clock_timestamp(), finished_at = NULL,
           position = nextval(pg_get_serial_sequence('outbox', 'position')),
           next_attempt_at = delivery_turn(webhook_id, subject)
         WHERE org_id = $1 AND id = $2`,
        [orgId, id],
      );
      return this.queued(db, change, orgId, id);
    });
  }

  /**
   * Queues a message of type `webhook.test` for this webhook only, whatever events it subscribes to.
   * @throws AppError `conflict` if the webhook is disabled.
   */
  async test(change: Change, webhookId: string): Promise<DeliveryView> {
    const { orgId } = change.actor;
    return this.deliveries.manager.transaction(async (db) => {
      await requireEnabled(db, orgId, webhookId);
      const [{ id }] = await db.query<[{ id: string }]>(
        `WITH event AS (
           INSERT INTO outbox (org_id, type, subject, data)
           VALUES ($1, 'webhook.test', gen_random_uuid(), jsonb_build_object('webhook_id', $2::uuid))
           RETURNING *)
         INSERT INTO webhook_deliveries (org_id, webhook_id, event_id, event_type, subject, position, next_attempt_at)
         SELECT org_id, $2, id, type, subject, position, clock_timestamp() FROM event RETURNING id`,
        [orgId, webhookId],
      );
      return this.queued(db, change, orgId, id);
    });
  }

  private async queued(db: EntityManager, change: Change, orgId: string, id: string): Promise<DeliveryView> {
    await db.query('SELECT pg_notify($1, $2)', [ChangeFeed.CHANNEL, 'webhook_deliveries:']);
    const view = deliveryView(await db.findOneByOrFail(WebhookDelivery, { orgId, id }));
    const { event_id, event_type, state } = view;
    await change.record(db, {
      type: 'webhooks/deliveries',
      id,
      action: 'execute',
      before: null,
      after: { event_id, event_type, state },
    });
    return view;
  }
}

async function requireEnabled(
  db: EntityManager,
  orgId: string,
  id: string,
  lock?: NonNullable<FindOneOptions<Webhook>['lock']>,
): Promise<void> {
  const webhook = await db.findOne(Webhook, {
    select: { id: true, enabled: true },
    where: { orgId, id },
    ...(lock === undefined ? {} : { lock }),
  });
  if (webhook === null) throw webhookNotFound();
  if (!webhook.enabled) throw new AppError('conflict', 'the webhook is disabled');
}
