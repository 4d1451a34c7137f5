import { Injectable } from '@nestjs/common';
import { ChangeFeed } from '../../platform/database/feed/change-feed';
import { FeedCache } from '../../platform/database/feed/feed-cache';
import type { GuardrailSet } from '../../gate/ports/guardrails';
import type { Target } from '../../gate/ports/target-directory';
import type { MaybePromise } from '../../kernel/async/maybe-promise';

/** Tables that decide which rules apply to a target; their triggers report every change. */
const TABLES = ['guardrail_rules', 'guardrail_connections', 'connections'];

/**
 * Caches which set of compiled rules applies to a target, while the change feed is up. Any change of rules,
 * bindings or attributes clears the cache, because changes are rare and a cache miss costs only one query.
 */
@Injectable()
export class RememberedSets {
  private readonly sets: FeedCache<GuardrailSet>;
  /** Computed cache keys, kept because a session requests its target's rules thousands of times a second. */
  private readonly keys = new WeakMap<Target, string>();

  constructor(feed: ChangeFeed) {
    this.sets = new FeedCache(feed, 'guardrails', TABLES);
  }

  /** See `FeedCache.isKeeping`. */
  get areKept(): boolean {
    return this.sets.isKeeping;
  }

  /** Returns the set of compiled rules that applies to the target, from the cache or from `read`. */
  of(target: Target, read: () => Promise<GuardrailSet>): MaybePromise<GuardrailSet> {
    return this.sets.of(this.keyOf(target), read);
  }

  /** See `FeedCache.forget`. */
  forget(): void {
    this.sets.forget();
  }

  /**
   * Returns the cache key of a target. The key contains the attributes and whether the target has a role,
   * because they may differ between open sessions: a session keeps its target as it was at the start.
   */
  private keyOf(target: Target): string {
    const known = this.keys.get(target);
    if (known !== undefined) return known;
    const isPersonal = target.role !== undefined;
    const key = [target.id, target.subtype, isPersonal, ...target.attributes].join('\0');
    this.keys.set(target, key);
    return key;
  }
}
