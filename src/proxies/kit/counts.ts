import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { HolderCounts } from '../../kernel/async/holder-counts';
import type { MaybePromise } from '../../kernel/async/maybe-promise';
import { entriesAtMost } from '../../kernel/runtime/entries-at-most';

const WINDOW_SECONDS = 60;
/**
 * Maximum number of keys in memory. Above it, the least recently used keys are dropped. Each takes about 200
 * bytes.
 */
const REMEMBERED = 50_000;

/** A holder of places (such as a user or a connection), and the maximum number of its places. */
export interface HolderLimit {
  readonly holder: string;
  readonly limit: number;
}

/** A reserved place, or the first holder at its limit. `leave` releases the place; it is idempotent. */
export type CountedPlace =
  | { readonly kind: 'place'; readonly leave: () => void }
  | { readonly kind: 'full'; readonly holder: string };

/** Enforces limits. Counts the places of holders (for example, clients of a user), and events per minute. */
export interface Counts {
  /** Reserves one place for each holder. If any holder is at its limit, reserves none. */
  take(holders: readonly HolderLimit[]): MaybePromise<CountedPlace>;
  /**
   * Counts one event of the key. The minute begins with the first event of the key. If the limit is reached,
   * the event is not counted.
   * @returns the milliseconds until the minute ends, if the limit is reached; otherwise undefined
   */
  countInMinute(key: string, limit: number): MaybePromise<number | undefined>;
}

/** Keeps the counts in the memory of this process. */
export class LocalCounts implements Counts {
  private readonly held = new HolderCounts();
  private readonly minutes = new LRUCache<string, number>({
    ...entriesAtMost(REMEMBERED),
    ttl: WINDOW_SECONDS * 1000,
    noUpdateTTL: true,
  });

  take(holders: readonly HolderLimit[]): CountedPlace {
    const full = holders.find(({ holder, limit }) => this.held.of(holder) >= limit);
    if (full !== undefined) return { kind: 'full', holder: full.holder };
    return { kind: 'place', leave: this.held.add(...holders.map(({ holder }) => holder)) };
  }

  countInMinute(key: string, limit: number): number | undefined {
    const count = this.minutes.get(key) ?? 0;
    if (count >= limit) return this.minutes.getRemainingTTL(key);
    this.minutes.set(key, count + 1);
    return undefined;
  }
}

/** The counts of this gateway. If it has several workers, their primary process counts for all of them. */
@Injectable()
export class GatewayCounts implements Counts {
  private counts: Counts = new LocalCounts();

  /** Replaces the local counts. Must be called before anything is counted. */
  use(counts: Counts): void {
    this.counts = counts;
  }

  take(holders: readonly HolderLimit[]): MaybePromise<CountedPlace> {
    return this.counts.take(holders);
  }

  countInMinute(key: string, limit: number): MaybePromise<number | undefined> {
    return this.counts.countInMinute(key, limit);
  }
}
