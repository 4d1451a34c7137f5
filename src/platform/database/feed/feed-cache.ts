import { LRUCache } from 'lru-cache';
import type { MaybePromise } from '../../../kernel/async/maybe-promise';
import type { CacheLookups, CacheName, ChangeFeed } from './change-feed';
import { entriesAtMost } from '../../../kernel/runtime/entries-at-most';

/**
 * Caches values that were read from some tables, while the change feed is up. Any change of these tables
 * clears the whole cache, because changes are rare and a miss costs one query. A value is not cached if a
 * change arrives while it is read.
 */
export class FeedCache<T extends object> {
  private readonly values: LRUCache<string, T>;
  private epoch = 0;
  private readonly lookups: CacheLookups;

  /**
   * @param cache name of the cache in metrics. @param tables The cached tables. Their triggers notify the
   * gateways of every change.
   * @param max maximum number of entries
   */
  constructor(
    private readonly feed: ChangeFeed,
    cache: CacheName,
    tables: readonly string[],
    max = 10_000,
  ) {
    this.values = new LRUCache(entriesAtMost(max));
    this.lookups = { cache, hits: 0, misses: 0 };
    feed.subscribe({
      lookups: this.lookups,
      changed: (table) => {
        if (tables.includes(table)) this.forget();
      },
      reset: () => this.forget(),
    });
  }

  /** Whether values are cached at present, so that not each call of `of` reads. */
  get isKeeping(): boolean {
    return this.feed.live;
  }

  /** The value of the key, from the cache or from `read`. Returns a cached value synchronously. */
  of(key: string, read: () => Promise<T>): MaybePromise<T> {
    const known = this.isKeeping ? this.values.get(key) : undefined;
    if (known === undefined) this.lookups.misses += 1;
    else this.lookups.hits += 1;
    return known ?? this.read(key, read);
  }

  /**
   * Clears the cache after a committed change on this gateway, because the next command may come before the
   * feed reports the change.
   */
  forget(): void {
    this.epoch += 1;
    this.values.clear();
  }

  private async read(key: string, read: () => Promise<T>): Promise<T> {
    const { epoch } = this;
    const value = await read();
    if (epoch === this.epoch && this.isKeeping) this.values.set(key, value);
    return value;
  }
}
