import type { RuleEntry } from '../../../src/guardrails/entries/rule-entry';
import type { Intent } from './intent';
import { hitsOf } from './judging';
import { TargetLane } from './target-lane';
import type { Variant } from './variants';

/** A variant of a forbidden act, and a rule against the act that let it pass. */
export interface Survivor {
  readonly rule: RuleEntry;
  readonly variant: Variant;
}

/** Returns the variants that passed, once for each rule of their intent that let them pass. */
export async function survivors(
  variants: readonly Variant[],
  rulesOf: (intent: Intent) => readonly RuleEntry[],
): Promise<Survivor[]> {
  const found: Survivor[] = [];
  for (const intent of new Set(variants.map((variant) => variant.intent))) {
    const mine = variants.filter((variant) => variant.intent === intent);
    const rules = rulesOf(intent);
    const hitsIn = hitsOf(rules);
    for (const variant of mine) {
      const hits = await hitsIn(variant.text);
      for (const rule of rules) if (!hits.has(rule)) found.push({ rule, variant });
    }
  }
  return found;
}

/**
 * Returns the variants that had their effect. A variant in `doubted` also counts
 * if it has the effect only outside of the test's transaction.
 */
export async function effectiveOnes(
  variants: readonly Variant[],
  doubted: ReadonlySet<Variant>,
  lanes: number,
): Promise<Set<Variant>> {
  const waiting = byIntent(variants);
  const effective = new Set<Variant>();
  const work = async (): Promise<void> => {
    const lane = await TargetLane.open();
    try {
      for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
        for (const variant of next) {
          const happened = await lane.hasEffect(variant);
          if (happened || (doubted.has(variant) && (await lane.hasLastingEffect(variant))))
            effective.add(variant);
        }
      }
    } finally {
      await lane.close();
    }
  };
  await Promise.all(Array.from({ length: lanes }, work));
  return effective;
}

/**
 * Groups variants by intent, the largest group last. All variants of a group run one after another, because
 * some acts affect the whole server and would disturb each other.
 */
function byIntent(variants: readonly Variant[]): Variant[][] {
  const groups = new Map<Intent, Variant[]>();
  for (const variant of variants)
    groups.set(variant.intent, [...(groups.get(variant.intent) ?? []), variant]);
  return [...groups.values()].sort((a, b) => a.length - b.length);
}
