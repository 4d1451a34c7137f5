import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { AuditService } from '../../platform/audit/audit.service';
import { WebhookSettings } from '../../platform/config/groups';
import { WebhookDelivery } from './delivery.entity';
import type { WebhookFormat } from './message';
import type { EndpointAnswer } from './webhook-sender';

/**
 * Largest number of concurrent deliveries of one webhook per gateway, so that
 * a slow endpoint delays only itself.
 */
export const MAX_CONCURRENT_DELIVERIES = 5;
/** Time by which a lease exceeds the endpoint's timeout, for the DNS look-up and for storing the result. */
const SPARE_MS = 5_000;

/** A delivery that this gateway claimed, with everything needed to send it. */
export interface ClaimedDelivery {
  readonly id: string;
  readonly orgId: string;
  readonly webhookId: string;
  readonly lease: string;
  /** Number of attempts, including this one. */
  readonly attempts: number;
  /** Milliseconds since the delivery was queued. */
  readonly age: number;
  readonly url: string;
  /** Signing secret of the webhook, sealed. */
  readonly secret: Buffer;
  readonly format: WebhookFormat;
  readonly eventId: string;
  readonly type: string;
  readonly createdAt: Date;
  readonly data: Record<string, unknown>;
}

/**
 * Claims due deliveries of each webhook, up to its limit of concurrent deliveries. Only the first delivery of
 * a queue has a due time, so no other delivery is claimed. Skips deliveries that another gateway is claiming.
 * A claimed delivery is due again when its lease ends, so a killed gateway loses nothing. All times are by
 * the clock of the database. The ids are passed as an array, so that the planner expects few of them and does
 * not scan the whole table.
 */
const CLAIM = `
  WITH due AS (
    SELECT first.id FROM webhooks AS webhook
    LEFT JOIN unnest($3::uuid[], $4::int[]) AS busy (id, count) ON busy.id = webhook.id
    CROSS JOIN LATERAL (
      SELECT id FROM webhook_deliveries WHERE webhook_id = webhook.id AND next_attempt_at <= now()
      ORDER BY next_attempt_at LIMIT greatest($5 - coalesce(busy.count, 0), 0) FOR UPDATE SKIP LOCKED
    ) AS first
    WHERE webhook.enabled
  ), taken AS (
    UPDATE webhook_deliveries AS delivery SET lease = $1, attempts = attempts + 1, last_attempt_at = clock_timestamp(),
      next_attempt_at = clock_timestamp() + $2 * interval '1 millisecond'
    WHERE id = ANY (ARRAY(SELECT id FROM due))
    RETURNING delivery.*
  )
  SELECT taken.id, taken.org_id AS "orgId", taken.webhook_id AS "webhookId", taken.lease, taken.attempts,
    1000 * extract(epoch FROM clock_timestamp() - taken.queued_at)::float8 AS age,
    webhook.url, webhook.secret, webhook.format, event.id AS "eventId", event.type, event.created_at AS "createdAt", event.data
  FROM taken
  JOIN webhooks AS webhook ON webhook.id = taken.webhook_id
  JOIN outbox AS event ON event.id = taken.event_id
  ORDER BY taken.position`;

/**
 * Restricts a statement to the holder of the lease, because another gateway may be sending the delivery after
 * the lease has ended.
 */
const IS_OURS = `WHERE id = $1 AND lease = $2`;

/** The table of deliveries, which all gateways share as a queue. */
@Injectable()
export class DeliveryQueue {
  private readonly leaseMs: number;

  constructor(
    @InjectRepository(WebhookDelivery) private readonly deliveries: Repository<WebhookDelivery>,
    private readonly audit: AuditService,
    settings: WebhookSettings,
  ) {
    this.leaseMs = settings.timeoutSeconds * 1000 + SPARE_MS;
  }

  /** Claims due deliveries. `busy` has the number of deliveries in progress for each webhook. */
  async claim(busy: ReadonlyMap<string, number>): Promise<ClaimedDelivery[]> {
    const [ids, counts] = [[...busy.keys()], [...busy.values()]];
    return this.deliveries.query<ClaimedDelivery[]>(CLAIM, [
      randomUUID(),
      this.leaseMs,
      ids,
      counts,
      MAX_CONCURRENT_DELIVERIES,
    ]);
  }

  async delivered({ id, lease }: ClaimedDelivery, { status }: EndpointAnswer): Promise<void> {
    await this.deliveries.query(
      `UPDATE webhook_deliveries SET state = 'delivered', finished_at = clock_timestamp(), next_attempt_at = NULL,
         lease = NULL, last_status = $3, last_error = NULL ${IS_OURS}`,
      [id, lease, status],
    );
  }

  async retry(
    { id, lease }: ClaimedDelivery,
    { status, error }: EndpointAnswer,
    delayMs: number,
  ): Promise<void> {
    await this.deliveries.query(
      `UPDATE webhook_deliveries SET next_attempt_at = clock_timestamp() + $5 * interval '1 millisecond',
         lease = NULL, last_status = $3, last_error = $4 ${IS_OURS}`,
      [id, lease, status, error, delayMs],
    );
  }

  /** Marks the delivery as dead: it is not sent again until an admin replays it. */
  async dead({ id, lease }: ClaimedDelivery, { status, error }: EndpointAnswer): Promise<void> {
    await this.deliveries.query(
      `UPDATE webhook_deliveries SET state = 'dead', finished_at = clock_timestamp(), next_attempt_at = NULL,
         lease = NULL, last_status = $3, last_error = $4 ${IS_OURS}`,
      [id, lease, status, error],
    );
  }

  /**
   * Releases a delivery that was not sent to the webhook's present URL. Any gateway may claim the delivery at
   * once; the attempt is not counted.
   */
  async release({ id, lease }: ClaimedDelivery): Promise<void> {
    await this.deliveries.query(
      `UPDATE webhook_deliveries SET next_attempt_at = clock_timestamp(), lease = NULL, attempts = attempts - 1 ${IS_OURS}`,
      [id, lease],
    );
  }

  /**
   * Disables the webhook until an admin enables it again. Pending deliveries stay pending. Does nothing if
   * the URL of the webhook has changed since the delivery was claimed, because the answer came from another
   * endpoint.
   * @returns whether the webhook still has the URL
   */
  async disable({ orgId, webhookId, url }: ClaimedDelivery, reason: string): Promise<boolean> {
    return this.deliveries.manager.transaction(async (db) => {
      const [webhook] = await db.query<{ enabled: boolean }[]>(
        `SELECT enabled FROM webhooks WHERE org_id = $1 AND id = $2 AND url = $3 FOR NO KEY UPDATE`,
        [orgId, webhookId, url],
      );
      if (webhook?.enabled !== true) return webhook !== undefined;
      await db.query(
        `UPDATE webhooks SET enabled = false, disabled_reason = $3, version = version + 1, updated_at = now()
         WHERE org_id = $1 AND id = $2`,
        [orgId, webhookId, reason],
      );
      await this.audit.ownChange(orgId).record(db, {
        type: 'webhooks',
        id: webhookId,
        action: 'update',
        before: { enabled: true, disabled_reason: null },
        after: { enabled: false, disabled_reason: reason },
      });
      return true;
    });
  }
}
