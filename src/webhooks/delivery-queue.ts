import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { AuditService } from '../audit/audit.service';
import { WebhookSettings } from '../config/groups';
import { WebhookDelivery } from './delivery.entity';
import type { WebhookFormat } from './message';
import type { Answer } from './webhook-sender';

/** Deliveries of one webhook that a gateway has on its way at one time: what is slow keeps only itself waiting. */
export const AT_ONCE = 5;
/** Beyond the time that an endpoint has: to look up its name, and to write down what became of it. */
const SPARE_MS = 5_000;

/** A delivery that is ours to make, with all that it takes. */
export interface Claimed {
  readonly id: string;
  readonly orgId: string;
  readonly webhookId: string;
  readonly lease: string;
  /** With this one. */
  readonly attempts: number;
  /** Milliseconds since it was queued. */
  readonly age: number;
  readonly url: string;
  /** Sealed. */
  readonly secret: Buffer;
  readonly format: WebhookFormat;
  readonly eventId: string;
  readonly type: string;
  readonly createdAt: Date;
  readonly data: Record<string, unknown>;
}

/**
 * Of each webhook as many as there is room for, of which each is the first of its queue: the others have no time at
 * which they are due. What another gateway is taking just now is passed over. What is taken is due again when the
 * lease ends, so that a gateway that is killed loses nothing. By the clock of the database alone.
 * The ids come as an array, so that the planner takes them for few, as they are, and never walks the whole table.
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

/** Only whoever holds the lease writes down what became of it: when it has ended, somebody else may be sending it. */
const IS_OURS = `WHERE id = $1 AND lease = $2`;

/** The table of deliveries, as the gateways that share the work see it. */
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

  /** Takes what is due. `busy` says how many of each webhook are on their way already. */
  async claim(busy: ReadonlyMap<string, number>): Promise<Claimed[]> {
    const [ids, counts] = [[...busy.keys()], [...busy.values()]];
    return this.deliveries.query<Claimed[]>(CLAIM, [randomUUID(), this.leaseMs, ids, counts, AT_ONCE]);
  }

  async delivered({ id, lease }: Claimed, { status }: Answer): Promise<void> {
    await this.deliveries.query(
      `UPDATE webhook_deliveries SET state = 'delivered', finished_at = clock_timestamp(), next_attempt_at = NULL,
         lease = NULL, last_status = $3, last_error = NULL ${IS_OURS}`,
      [id, lease, status],
    );
  }

  async retry({ id, lease }: Claimed, { status, error }: Answer, delayMs: number): Promise<void> {
    await this.deliveries.query(
      `UPDATE webhook_deliveries SET next_attempt_at = clock_timestamp() + $5 * interval '1 millisecond',
         lease = NULL, last_status = $3, last_error = $4 ${IS_OURS}`,
      [id, lease, status, error, delayMs],
    );
  }

  /** Nobody tries again, unless it is replayed. */
  async dead({ id, lease }: Claimed, { status, error }: Answer): Promise<void> {
    await this.deliveries.query(
      `UPDATE webhook_deliveries SET state = 'dead', finished_at = clock_timestamp(), next_attempt_at = NULL,
         lease = NULL, last_status = $3, last_error = $4 ${IS_OURS}`,
      [id, lease, status, error],
    );
  }

  /** It was not sent after all: it is due at once, for any gateway, and the attempt does not count. */
  async release({ id, lease }: Claimed): Promise<void> {
    await this.deliveries.query(
      `UPDATE webhook_deliveries SET next_attempt_at = clock_timestamp(), lease = NULL, attempts = attempts - 1 ${IS_OURS}`,
      [id, lease],
    );
  }

  /** Nothing more is sent there until an admin enables it again; what waits goes on waiting. */
  async disable({ orgId, webhookId }: Claimed, reason: string): Promise<void> {
    await this.deliveries.manager.transaction(async (db) => {
      const [, changed] = await db.query<[unknown[], number]>(
        `UPDATE webhooks SET enabled = false, disabled_reason = $3, version = version + 1, updated_at = now()
         WHERE org_id = $1 AND id = $2 AND enabled`,
        [orgId, webhookId, reason],
      );
      if (changed === 0) return;
      await this.audit.ownChange(orgId).record(db, {
        type: 'webhooks',
        id: webhookId,
        action: 'update',
        before: { enabled: true, disabled_reason: null },
        after: { enabled: false, disabled_reason: reason },
      });
    });
  }
}
