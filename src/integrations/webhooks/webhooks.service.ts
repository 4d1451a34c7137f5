import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, Repository } from 'typeorm';
import { WebhookSettings } from '../../platform/config/groups';
import type { Change } from '../../platform/http/routes/change';
import { type PageQuery, pageOf, pageWindow } from '../../platform/http/dto/page';
import type { Versioned } from '../../platform/http/routes/versioned';
import { type ExpectedVersion, requireVersion } from '../../platform/http/routes/versions';
import { AppError } from '../../kernel/app-error';
import { endpointUrl } from './endpoint-url';
import { WebhookSecrets, secretFrom } from './webhook-secrets';
import {
  type WebhookCreationBody,
  type CreatedWebhookView,
  type WebhookBody,
  type WebhookChangeBody,
  type WebhookPage,
  type WebhookSecretBody,
  type WebhookSecretView,
  type WebhookView,
  webhookView,
} from './webhook.dto';
import { Webhook } from './webhook.entity';

const TYPE = 'webhooks';
/** Maximum number of webhooks, because each webhook may have several requests in progress at once. */
const MAX_WEBHOOKS = 50;

/** First key of the advisory lock for creating webhooks; the second is the hash of the organization's id. */
const CREATING_LOCK = 18_250;

@Injectable()
export class WebhooksService {
  constructor(
    @InjectRepository(Webhook) private readonly webhooks: Repository<Webhook>,
    private readonly secrets: WebhookSecrets,
    private readonly settings: WebhookSettings,
  ) {}

  async list(orgId: string, query: PageQuery): Promise<WebhookPage> {
    const { offset, size } = pageWindow(query);
    const [rows, total] = await this.webhooks.findAndCount({
      where: { orgId },
      order: { createdAt: 'DESC', id: 'DESC' },
      skip: offset,
      take: size,
    });
    return pageOf(query, rows.map(webhookView), total);
  }

  async get(orgId: string, id: string): Promise<Versioned<WebhookView>> {
    const webhook = await this.webhooks.findOneBy({ orgId, id });
    if (webhook === null) throw webhookNotFound();
    return versioned(webhook);
  }

  async create(change: Change, body: WebhookCreationBody): Promise<Versioned<CreatedWebhookView>> {
    const { orgId } = change.actor;
    const secret = secretFrom(body.secret);
    const id = randomUUID();
    const webhook = this.webhooks.create({
      id,
      orgId,
      ...this.definitionOf(body),
      secret: this.secrets.seal({ orgId, id }, secret),
      version: 1,
    });
    await this.webhooks.manager.transaction(async (db) => {
      // Without the lock, two concurrent requests could both create the last allowed webhook.
      await db.query('SELECT pg_advisory_xact_lock($1, hashtext($2))', [CREATING_LOCK, orgId]);
      if ((await db.countBy(Webhook, { orgId })) >= MAX_WEBHOOKS) {
        throw new AppError(
          'unprocessable',
          `there are already ${MAX_WEBHOOKS} webhooks, which is the limit; delete one first`,
        );
      }
      await db.insert(Webhook, webhook);
      await change.record(db, { type: TYPE, id, action: 'create', before: null, after: audited(webhook) });
    });
    return { version: 1, view: { ...webhookView(webhook), secret } };
  }

  /** Replaces everything except the secret. */
  async replace(
    change: Change,
    id: string,
    expected: ExpectedVersion,
    body: WebhookChangeBody,
  ): Promise<Versioned<WebhookView>> {
    const definition = this.definitionOf(body);
    return this.changing(change, id, expected, async (db, webhook) => {
      this.requireItsSecret(webhook, body.secret);
      const before = audited(webhook);
      await db.save(Object.assign(webhook, definition, { version: webhook.version + 1 }));
      await change.record(db, { type: TYPE, id, action: 'update', before, after: audited(webhook) });
      return versioned(webhook);
    });
  }

  /** Deletes the webhook. Its pending deliveries are not sent; `DeliveryRetention` deletes them later. */
  async remove(change: Change, id: string, expected: ExpectedVersion): Promise<void> {
    await this.changing(change, id, expected, async (db, webhook) => {
      await db.delete(Webhook, { orgId: webhook.orgId, id });
      await change.record(db, { type: TYPE, id, action: 'delete', before: audited(webhook), after: null });
    });
  }

  async rotate(
    change: Change,
    id: string,
    expected: ExpectedVersion,
    body: WebhookSecretBody,
  ): Promise<WebhookSecretView> {
    const secret = secretFrom(body.secret);
    return this.changing(change, id, expected, async (db, webhook) => {
      const { sealed, until } = this.secrets.rotate(webhook, webhook.secret, secret);
      await db.save(Object.assign(webhook, { secret: sealed, version: webhook.version + 1 }));
      const [before, after] = [{ secret: 'the one before' }, { secret: 'a new one' }];
      await change.record(db, { type: TYPE, id, action: 'update', before, after });
      return { secret, previous_valid_until: until };
    });
  }

  /** Refuses a secret other than the current one, instead of ignoring it. @throws AppError `unprocessable` */
  private requireItsSecret(webhook: Webhook, given: string | null | undefined): void {
    if (given === undefined || given === null || this.secrets.isIts(webhook, webhook.secret, given)) return;
    throw new AppError(
      'unprocessable',
      'secret cannot be changed here; use POST /webhooks/{id}/rotate-secret',
    );
  }

  private definitionOf(
    body: WebhookBody,
  ): Pick<Webhook, 'url' | 'events' | 'format' | 'description' | 'enabled' | 'disabledReason'> {
    return {
      url: endpointUrl(body.url, this.settings),
      events: [...new Set(body.events)],
      format: body.format ?? 'standard',
      description: body.description ?? '',
      enabled: body.enabled ?? true,
      disabledReason: null,
    };
  }

  private changing<T>(
    { actor: { orgId } }: Change,
    id: string,
    expected: ExpectedVersion,
    work: (db: EntityManager, webhook: Webhook) => Promise<T>,
  ): Promise<T> {
    return this.webhooks.manager.transaction(async (db) => {
      const webhook = await db.findOne(Webhook, {
        where: { orgId, id },
        lock: { mode: 'for_no_key_update' },
      });
      if (webhook === null) throw webhookNotFound();
      requireVersion(webhook.version, expected);
      return work(db, webhook);
    });
  }
}

function versioned(webhook: Webhook): Versioned<WebhookView> {
  return { version: webhook.version, view: webhookView(webhook) };
}

/**
 * Returns the webhook for the audit log: the origin of its URL, and whether the URL changed. The rest of the
 * URL stays secret, because the URL alone often suffices to post to an endpoint.
 */
function audited(webhook: Webhook): object {
  const { url, ...rest } = webhookView(webhook);
  return { ...rest, origin: new URL(url).origin, url_secret: url };
}

export function webhookNotFound(): AppError {
  return new AppError('not_found', 'there is no webhook with this id');
}
