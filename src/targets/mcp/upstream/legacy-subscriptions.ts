import { type JsonObject, isObject } from '../../../kernel/json/json';
import type { RpcNotification } from '../protocol/rpc-messages';
import type { SubscriptionFilter, SubscriptionOptions } from './contract';
import { endedEarly } from './faults';
import { isSubscribed, isUnasked } from './notifications';
import { SharedResources } from './shared-resources';

/** Maximum number of resources that one subscription requests at once. */
const MOST_REQUESTED = 8;

interface Subscription {
  /** The notifications that the subscription receives; undefined while the server has not agreed to any. */
  filter: SubscriptionFilter | undefined;
  /** Whether the caller of `add` was notified of the filter to which the server agreed. */
  hasBegun: boolean;
  readonly on: SubscriptionOptions;
  /** URIs of the resources to which this subscription is subscribed at the server. */
  readonly held: Set<string>;
  /** Aborts when the subscription is over, even if it has not begun yet. */
  readonly over: AbortController;
}

/** The subscribers to changes at a legacy server. All subscribers of a resource share one subscription. */
export class LegacySubscriptions {
  private readonly all = new Set<Subscription>();
  private readonly resources: SharedResources;

  /**
   * @param call sends `resources/subscribe` or `resources/unsubscribe` to the server; resolves with whether
   * the server agreed
   * @param capabilities capabilities of the server
   * @param isForLegacy whether the client is of the legacy era, in which subscriptions are not acknowledged
   */
  constructor(
    call: (method: string, params: JsonObject) => Promise<boolean>,
    private readonly capabilities: JsonObject,
    private readonly isForLegacy: boolean,
  ) {
    this.resources = new SharedResources(call);
  }

  /** @throws UpstreamFault if all subscriptions end before this one has begun */
  async add(filter: SubscriptionFilter, on: SubscriptionOptions): Promise<SubscriptionFilter> {
    const over = new AbortController();
    // A legacy client gets all changes of its filter from now on, because its request was already answered,
    // and because many legacy servers send changes that they did not announce.
    const own = this.isForLegacy ? filter : undefined;
    const subscription: Subscription = { filter: own, hasBegun: false, on, held: new Set(), over };
    const end = (): void => this.remove(subscription);
    this.all.add(subscription);
    on.signal.addEventListener('abort', end, { once: true, signal: over.signal });
    if (on.signal.aborted) end();
    const uris = await this.hold(filter.uris ?? [], subscription);
    if (over.signal.aborted && !on.signal.aborted) throw endedEarly();
    const acknowledged: SubscriptionFilter = {
      ...(filter.tools === true && this.has('tools', 'listChanged') ? { tools: true } : {}),
      ...(filter.prompts === true && this.has('prompts', 'listChanged') ? { prompts: true } : {}),
      ...(filter.resources === true && this.has('resources', 'listChanged') ? { resources: true } : {}),
      ...(filter.uris === undefined ? {} : { uris }),
    };
    subscription.filter ??= acknowledged;
    subscription.hasBegun = true;
    return acknowledged;
  }

  /**
   * Delivers a notification to each subscriber whose filter or log level admits it. A legacy client gets it
   * only once, although its next subscription begins before the previous one ends. Ends the subscription of a
   * client that cannot be notified.
   */
  async tell(notification: RpcNotification): Promise<void> {
    for (const subscription of this.all) {
      const { filter, on } = subscription;
      if (filter === undefined) continue;
      if (!isSubscribed(filter, notification) && !isUnasked(notification, on.logLevel?.())) continue;
      try {
        await on.notify(notification.method, notification.params ?? {});
        if (this.isForLegacy) return;
      } catch {
        this.remove(subscription);
        if (subscription.hasBegun) on.ended();
      }
    }
  }

  endAll(): void {
    const ended = [...this.all];
    for (const subscription of ended) this.remove(subscription);
    for (const { hasBegun, on } of ended) if (hasBegun && !on.signal.aborted) on.ended();
  }

  /**
   * Subscribes to resources. Stops waiting when the subscription is over. If the server agrees to a resource
   * later, the resource is unsubscribed again.
   * @returns the resources to which the server agreed
   */
  private async hold(wanted: readonly string[], { held, over }: Subscription): Promise<string[]> {
    const { signal } = over;
    if (!this.has('resources', 'subscribe') || signal.aborted) return [];
    const uris = [...new Set(wanted)];
    const rest = uris.values();
    const request = async (): Promise<void> => {
      for (const uri of rest) {
        if (signal.aborted) return;
        if (!(await this.resources.add(uri))) continue;
        if (signal.aborted) this.resources.remove(uri);
        else held.add(uri);
      }
    };
    const isOver = new Promise<void>((resolve) => {
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
    await Promise.race([isOver, Promise.all(Array.from({ length: MOST_REQUESTED }, request))]);
    return uris.filter((uri) => held.has(uri));
  }

  private remove(subscription: Subscription): void {
    if (!this.all.delete(subscription)) return;
    subscription.over.abort();
    for (const uri of subscription.held) this.resources.remove(uri);
  }

  private has(feature: string, what: string): boolean {
    const offered = this.capabilities[feature];
    return isObject(offered) && offered[what] === true;
  }
}
