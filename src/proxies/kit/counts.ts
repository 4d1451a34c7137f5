import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { HolderCounts } from '../../kernel/async/holder-counts';
import type { MaybePromise } from '../../kernel/async/maybe-promise';
import { entriesAtMost } from '../../kernel/runtime/entries-at-most';

const WINDOW_SECONDS = 60;
/** Keys of the last minute that are counted; above it the oldest are dropped. About 200 bytes each. */
const REMEMBERED = 50_000;

/** Maximum number of places that a holder may take at a time. */
export interface HolderLimit {
  readonly holder: string;
  readonly limit: number;
}

/** A place, or the first holder that has all it may have. `leave` releases the place; it is idempotent. */
export type CountedPlace =
  | { readonly kind: 'place'; readonly leave: () => void }
  | { readonly kind: 'full'; readonly holder: string };

/** Counts the places that holders take, to keep the limits. */
export interface Counts {
  /** Takes one place of each of the holders, or none. */
  take(holders: readonly HolderLimit[]): MaybePromise<CountedPlace>;
  /**
   * Counts one more for the key in a minute, which begins with the first.
   * Above the limit, nothing is counted.
   * @returns the milliseconds until the minute is over, when the limit is reached.
   */
  countInMinute(key: string, limit: number): MaybePromise<number | undefined>;
}

/** Counts in memory. */
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

/** The counts of this gateway. With several workers, those of all of them: their primary process counts. */
@Injectable()
export class GatewayCounts implements Counts {
  private counts: Counts = new LocalCounts();

  /** Before anything is counted. */
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
