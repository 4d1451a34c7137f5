import { setMaxListeners } from 'node:events';
import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { Settings } from '../config/settings';
import { ChangeFeed } from '../database/change-feed';
import { messageOf } from '../kernel/app-error';
import { Clock } from '../kernel/clock';
import { type ClaimedDelivery, DeliveryQueue } from './delivery-queue';
import { bodyOf } from './message';
import { retryDelay } from './retry-delay';
import { signedHeaders } from './signature';
import { WebhookSecrets } from './webhook-secrets';
import { type EndpointAnswer, WebhookSender } from './webhook-sender';

/** Polling interval for retries, and for events whose notification was lost. New events are announced by the change feed. */
const LOOK_EVERY_MS = 1_000;
/** At shutdown, how long the gateway waits for answers. */
const GRACE_MS = 3_000;
const GONE = 410;

/** Sends due deliveries. Every gateway runs one; the queue gives each delivery to one of them. */
@Injectable()
export class DeliveryWorker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger(DeliveryWorker.name);
  private readonly stopping = new AbortController();
  private readonly busy = new Map<string, number>();
  private readonly underWay = new Set<Promise<void>>();
  private timer: NodeJS.Timeout | undefined;
  private looking: Promise<void> | undefined;
  private owesLook = false;
  private isStopped = false;
  private fault: string | undefined;

  constructor(
    private readonly queue: DeliveryQueue,
    private readonly sender: WebhookSender,
    private readonly secrets: WebhookSecrets,
    private readonly clock: Clock,
    private readonly settings: Settings,
    feed: ChangeFeed,
  ) {
    // Every delivery in progress listens to it.
    setMaxListeners(0, this.stopping.signal);
    feed.subscribe({
      changed: (table) => {
        if (table === 'webhook_deliveries') this.look();
      },
      reset: () => undefined,
    });
  }

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => this.look(), LOOK_EVERY_MS);
  }

  /** Deliveries in progress get a moment to finish; the rest is left to other gateways or the next start. */
  async beforeApplicationShutdown(): Promise<void> {
    this.isStopped = true;
    clearInterval(this.timer);
    await this.looking;
    const grace = setTimeout(() => this.stopping.abort(new Error('the gateway is stopping')), GRACE_MS);
    await Promise.allSettled(this.underWay);
    clearTimeout(grace);
  }

  /** Polls once at a time, however often it is called. */
  private look(): void {
    this.owesLook = true;
    if (this.isStopped || this.timer === undefined) return;
    this.looking ??= this.lookUntilNothingIsOwed();
  }

  private async lookUntilNothingIsOwed(): Promise<void> {
    try {
      while (this.owesLook && !this.isStopped) {
        this.owesLook = false;
        for (const claimed of await this.queue.claim(this.busy)) this.begin(claimed);
        this.fault = undefined;
      }
    } catch (error) {
      const fault = `Webhook deliveries could not be claimed: ${messageOf(error)}`;
      if (fault !== this.fault) this.log.warn(fault);
      this.fault = fault;
    }
    // In the same turn of the event loop as the last check of `owesLook`.
    this.looking = undefined;
  }

  private begin(claimed: ClaimedDelivery): void {
    const { webhookId } = claimed;
    this.busy.set(webhookId, (this.busy.get(webhookId) ?? 0) + 1);
    const work = this.attempt(claimed).finally(() => {
      this.underWay.delete(work);
      const others = (this.busy.get(webhookId) ?? 1) - 1;
      if (others === 0) this.busy.delete(webhookId);
      else this.busy.set(webhookId, others);
      this.look();
    });
    this.underWay.add(work);
  }

  /** Never rejects: when the result cannot be stored, the delivery is sent again after the lease. */
  private async attempt(claimed: ClaimedDelivery): Promise<void> {
    try {
      await this.deliver(claimed);
    } catch (error) {
      this.log.warn(
        `The result of delivery ${claimed.id} could not be stored; it will be sent again: ${messageOf(error)}`,
      );
    }
  }

  private async deliver(claimed: ClaimedDelivery): Promise<void> {
    const answer = await this.send(claimed).catch((error: unknown) => {
      if (!this.stopping.signal.aborted) throw error;
      return undefined;
    });
    if (answer === undefined) return this.queue.release(claimed);
    if (answer.error === null) return this.queue.delivered(claimed, answer);
    if (answer.status === GONE) {
      await this.queue.disable(claimed, 'The endpoint answered with status 410 (Gone).');
      return this.queue.dead(claimed, answer);
    }
    const delay = retryDelay(claimed, this.settings.webhooks.retrySeconds);
    if (delay !== undefined) {
      return this.queue.retry(claimed, answer, Math.max(delay, answer.pauseMs ?? 0));
    }
    this.log.warn(
      `Delivery ${claimed.id} of webhook ${claimed.webhookId} failed for good; it can be replayed`,
    );
    return this.queue.dead(claimed, answer);
  }

  private async send(claimed: ClaimedDelivery): Promise<EndpointAnswer> {
    const { orgId, webhookId, secret, eventId, url } = claimed;
    let keys: Buffer[];
    try {
      keys = this.secrets.keys({ orgId, id: webhookId }, secret);
    } catch {
      return {
        status: null,
        error: 'The secret of the webhook cannot be opened: no key in SECRET_KEY matches. Rotate the secret.',
      };
    }
    const body = bodyOf(claimed, this.settings.http);
    const headers = {
      ...signedHeaders(eventId, body, keys, this.clock.now()),
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(body)),
      'user-agent': 'access-gateway',
    };
    return this.sender.post(url, headers, body, this.stopping.signal);
  }
}
