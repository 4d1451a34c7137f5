import { setMaxListeners } from 'node:events';
import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { WebhookSettings } from '../../platform/config/groups';
import { ChangeFeed } from '../../platform/database/feed/change-feed';
import { messageOf } from '../../kernel/app-error';
import { PeriodicTask } from '../../kernel/async/periodic-task';
import { Meter } from '../../platform/metrics/meter';
import { DeliveryAttempts } from './delivery-attempts';
import { type ClaimedDelivery, DeliveryQueue } from './delivery-queue';
import { retryDelay } from './retry-delay';

/**
 * Polling interval for retries, and for events whose notification was lost.
 * New events are announced by the change feed.
 */
const POLL_EVERY_MS = 1_000;
/** Time that the gateway waits for answers at shutdown. */
const GRACE_MS = 3_000;
const GONE = 410;
const DISABLED_BY_GONE = 'The endpoint answered with status 410 (Gone).';

/** Sends due deliveries. Every gateway runs one worker; the queue gives each delivery to one worker. */
@Injectable()
export class DeliveryWorker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger(DeliveryWorker.name);
  private readonly stopping = new AbortController();
  private readonly results;
  private readonly busy = new Map<string, number>();
  private readonly underWay = new Set<Promise<void>>();
  private readonly polling = new PeriodicTask({
    everyMs: POLL_EVERY_MS,
    isShared: true,
    work: () => this.claimDue(),
    onError: (message) => this.log.warn(`Webhook deliveries could not be claimed: ${message}`),
  });

  constructor(
    private readonly queue: DeliveryQueue,
    private readonly attempts: DeliveryAttempts,
    private readonly settings: WebhookSettings,
    feed: ChangeFeed,
    meter: Meter,
  ) {
    this.results = meter.counter('gateway_webhook_attempts_total');
    // Removes the limit of listeners, because every delivery in progress listens to this signal.
    setMaxListeners(0, this.stopping.signal);
    feed.subscribe({
      changed: (table) => {
        if (table === 'webhook_deliveries') void this.polling.run();
      },
      reset: () => undefined,
    });
  }

  onApplicationBootstrap(): void {
    this.polling.start();
  }

  /** Waits up to `GRACE_MS` for deliveries in progress. Other gateways or the next start send the rest. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.polling.stop();
    const grace = setTimeout(() => this.stopping.abort(new Error('the gateway is stopping')), GRACE_MS);
    await Promise.allSettled(this.underWay);
    clearTimeout(grace);
  }

  private async claimDue(): Promise<void> {
    for (const claimed of await this.queue.claim(this.busy)) this.begin(claimed);
  }

  private begin(claimed: ClaimedDelivery): void {
    const { webhookId } = claimed;
    this.busy.set(webhookId, (this.busy.get(webhookId) ?? 0) + 1);
    const work = this.attempt(claimed).finally(() => {
      this.underWay.delete(work);
      const others = (this.busy.get(webhookId) ?? 1) - 1;
      if (others === 0) this.busy.delete(webhookId);
      else this.busy.set(webhookId, others);
      void this.polling.run();
    });
    this.underWay.add(work);
  }

  /** Never rejects. When the result cannot be stored, the delivery is sent again after its lease ends. */
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
    const answer = await this.attempts.send(claimed, this.stopping.signal).catch((error: unknown) => {
      if (!this.stopping.signal.aborted) throw error;
      return undefined;
    });
    if (answer === undefined) return this.queue.release(claimed);
    this.results.add({ result: answer.error === null ? 'delivered' : 'failed' });
    if (answer.error === null) return this.queue.delivered(claimed, answer);
    if (answer.status === GONE) {
      const isPresentUrl = await this.queue.disable(claimed, DISABLED_BY_GONE);
      return isPresentUrl ? this.queue.dead(claimed, answer) : this.queue.release(claimed);
    }
    const delay = retryDelay(claimed, this.settings.retrySeconds);
    if (delay !== undefined) {
      return this.queue.retry(claimed, answer, Math.max(delay, answer.pauseMs ?? 0));
    }
    this.log.warn(
      `Delivery ${claimed.id} of webhook ${claimed.webhookId} failed for good; it can be replayed`,
    );
    return this.queue.dead(claimed, answer);
  }
}
