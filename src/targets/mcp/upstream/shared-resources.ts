import type { JsonObject } from '../../../kernel/json/json';

/**
 * Time for which a resource stays subscribed at the server without a subscriber. A legacy client that
 * subscribes to one more resource gets a new subscription for all of its resources, and must not cause an
 * unsubscribe and a subscribe for each of them.
 */
const LINGER_MS = 2_000;

interface Resource {
  holders: number;
  /**
   * Whether the gateway is subscribed to the resource at the server, once all requests so far are answered.
   */
  isSubscribed: Promise<boolean>;
  linger?: NodeJS.Timeout | undefined;
}

/**
 * The resources whose updates a legacy server sends, each with the number of its subscribers. The requests
 * for one resource are sent one after another, so that an unsubscribe never overtakes a subscribe.
 */
export class SharedResources {
  private readonly all = new Map<string, Resource>();

  /** @param call sends a request to the server; resolves with whether the server agreed. Never rejects. */
  constructor(private readonly call: (method: string, params: JsonObject) => Promise<boolean>) {}

  /** Adds a subscriber. Returns whether the server agreed; if not, there is no subscriber to remove. */
  async add(uri: string): Promise<boolean> {
    const resource = this.all.get(uri) ?? { holders: 0, isSubscribed: Promise.resolve(false) };
    this.all.set(uri, resource);
    clearTimeout(resource.linger);
    resource.holders += 1;
    resource.isSubscribed = resource.isSubscribed.then(
      (isSubscribed) => isSubscribed || this.call('resources/subscribe', { uri }),
    );
    const isSubscribed = await resource.isSubscribed;
    if (!isSubscribed) this.remove(uri);
    return isSubscribed;
  }

  remove(uri: string): void {
    const resource = this.all.get(uri);
    if (resource === undefined) return;
    resource.holders -= 1;
    if (resource.holders > 0) return;
    resource.linger = setTimeout(() => this.unsubscribe(uri, resource), LINGER_MS).unref();
  }

  private unsubscribe(uri: string, resource: Resource): void {
    resource.isSubscribed = resource.isSubscribed.then(async (isSubscribed) => {
      if (isSubscribed) await this.call('resources/unsubscribe', { uri });
      if (resource.holders === 0 && this.all.get(uri) === resource) this.all.delete(uri);
      return false;
    });
  }
}
