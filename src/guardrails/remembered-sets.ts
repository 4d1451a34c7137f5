import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { ChangeFeed } from '../database/change-feed';
import type { GuardrailSet } from '../gate/ports/guardrails';
import type { Target } from '../gate/ports/target-directory';

/** Targets; what each holds is shared, so an entry weighs little. */
const TARGETS = 10_000;

/** On which rows it hangs which rules hold on a target: their triggers tell of every change. */
const TABLES: ReadonlySet<string> = new Set(['guardrail_rules', 'guardrail_connections', 'connections']);

/**
 * Which set holds on a target, for as long as the change feed can tell that it still does. Any change of rules, bindings
 * or attributes drops all of them: changes are rare, and what is dropped costs one question to the database.
 */
@Injectable()
export class RememberedSets {
  private readonly sets = new LRUCache<string, GuardrailSet>({ max: TARGETS });
  /** A session asks for the rules of its target thousands of times a second. */
  private readonly keys = new WeakMap<Target, string>();
  /** Grows with every change heard of; what was read before a change may not be remembered after it. */
  private epoch = 0;

  constructor(private readonly feed: ChangeFeed) {
    feed.subscribe({
      changed: (table) => {
        if (TABLES.has(table)) this.forget();
      },
      reset: () => this.forget(),
    });
  }

  /** The set that holds on the target: remembered, or what `read` brings. Nothing is remembered while the feed is down. */
  of(target: Target, read: () => Promise<GuardrailSet>): GuardrailSet | Promise<GuardrailSet> {
    const key = this.keyOf(target);
    const known = this.feed.live ? this.sets.get(key) : undefined;
    return known ?? this.read(key, read);
  }

  /** Something was changed here, and committed: the next command on this gateway must not be too early for the feed. */
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

  /** Attributes are part of it: who entered before they were changed holds a target with the old ones. */
  private keyOf(target: Target): string {
    const known = this.keys.get(target);
    if (known !== undefined) return known;
    const key = [target.id, target.subtype, ...target.attributes].join('\0');
    this.keys.set(target, key);
    return key;
  }
}
