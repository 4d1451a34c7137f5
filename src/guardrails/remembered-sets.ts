import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { ChangeFeed } from '../database/change-feed';
import type { GuardrailSet } from '../gate/ports/guardrails';
import type { Target } from '../gate/ports/target-directory';

/** Number of cached targets. Sets are shared, so an entry takes little memory. */
const TARGETS = 10_000;

/** Tables that decide which rules apply to a target; their triggers report every change. */
const TABLES: ReadonlySet<string> = new Set(['guardrail_rules', 'guardrail_connections', 'connections']);

/**
 * Caches which set applies to a target, while the change feed is up. Any change of rules, bindings or attributes clears the cache:
 * changes are rare, and a miss costs one query.
 */
@Injectable()
export class RememberedSets {
  private readonly sets = new LRUCache<string, GuardrailSet>({ max: TARGETS });
  /** A session asks for the rules of its target thousands of times a second. */
  private readonly keys = new WeakMap<Target, string>();
  /** Incremented with every change: a set read before a change must not be cached after it. */
  private epoch = 0;

  constructor(private readonly feed: ChangeFeed) {
    feed.subscribe({
      changed: (table) => {
        if (TABLES.has(table)) this.forget();
      },
      reset: () => this.forget(),
    });
  }

  /** The set that applies to the target, from the cache or from `read`. The cache is not used while the change feed is down. */
  of(target: Target, read: () => Promise<GuardrailSet>): GuardrailSet | Promise<GuardrailSet> {
    const key = this.keyOf(target);
    const known = this.feed.live ? this.sets.get(key) : undefined;
    return known ?? this.read(key, read);
  }

  /** Clears the cache after a committed change on this gateway: the next command may come before the feed reports it. */
  forget(): void {
    this.epoch += 1;
    this.sets.clear();
  }

  private async read(key: string, read: () => Promise<GuardrailSet>): Promise<GuardrailSet> {
    const { epoch } = this;
    const set = await read();
    if (epoch === this.epoch && this.feed.live) this.sets.set(key, set);
    return set;
  }

  /** Attributes are part of the key: an open session keeps a target with the attributes of its start. */
  private keyOf(target: Target): string {
    const known = this.keys.get(target);
    if (known !== undefined) return known;
    const key = [target.id, target.subtype, ...target.attributes].join('\0');
    this.keys.set(target, key);
    return key;
  }
}
