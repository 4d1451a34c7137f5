import type { Form, Intent } from './intent';
import { INTENTS } from './intents';
import { DISGUISES, SPELLINGS, type Transform } from './lexical-transforms';
import { SeededRandom } from './random';
import { FEINTS, LONG, STRUCTURES } from './structures';

/** One text to try, with the intent, the form and the transforms from which it was made. */
export interface Variant {
  readonly intent: Intent;
  readonly text: string;
  readonly commits: boolean;
  /** The transforms in the order of their application. Empty for an unchanged form. */
  readonly transforms: readonly Transform[];
}

const SEED = 4;
/** Number of variants with a single transform, for each form. The plain form has one for every transform. */
const SINGLES_OF_A_FORM = 10;
const PAIRS_OF_AN_INTENT = 120;
const TRIPLES_OF_AN_INTENT = 50;

/** Returns all variants, the same at every run. No intent has two variants with the same text. */
export function allVariants(): Variant[] {
  return INTENTS.flatMap((intent, index) => variantsOf(intent, new SeededRandom(SEED + index)));
}

/** The short form of the corpus has about one in this number of all variants. */
const ONE_IN = 30;
/**
 * Number of variants in the short form that have only this transform, for each transform. Takes the first
 * variants, so that some of them have their forbidden effect.
 */
const OF_A_TRANSFORM = 3;
/** Whether the text is long. Texts of 300 KiB are nine tenths of all characters that are judged. */
const isOfManyBytes = ({ transforms }: Variant): boolean => transforms.some((one) => LONG.includes(one));

/**
 * Selects the short form of the corpus, for `npm test`: every unchanged form,
 * some variants of each transform, and some of all other variants.
 */
export function someVariants(all: readonly Variant[]): Variant[] {
  const taken = new Map<Transform, number>();
  return all.filter(({ transforms }, index) => {
    const [first] = transforms;
    if (first === undefined || (index % ONE_IN === 0 && !LONG.includes(first))) return true;
    if (transforms.length > 1) return false;
    const count = (taken.get(first) ?? 0) + 1;
    taken.set(first, count);
    return count <= OF_A_TRANSFORM;
  });
}

/**
 * Selects the variants that statement rules judge in the short form: all
 * variants without long texts, and the variants of `some`.
 */
export function judgedVariants(all: readonly Variant[], some: readonly Variant[]): Variant[] {
  const taken = new Set(some);
  return all.filter((variant) => taken.has(variant) || !isOfManyBytes(variant));
}

function variantsOf(intent: Intent, random: SeededRandom): Variant[] {
  const found = new Map<string, Variant>();
  const add = (form: Form | undefined, transforms: readonly Transform[]): void => {
    const made = transforms.reduce<Form | undefined>(
      (made, transform) => made && transform.apply(made, intent, random),
      form,
    );
    if (made === undefined || found.has(made.sql)) return;
    found.set(made.sql, { intent, text: made.sql, commits: made.commits, transforms });
  };
  const singles = [...SPELLINGS, ...DISGUISES, ...STRUCTURES, ...FEINTS];
  for (const form of intent.forms) {
    add(form, []);
    if (form === intent.forms[0]) for (const one of [...singles, ...LONG]) add(form, [one]);
    else for (let i = 0; i < SINGLES_OF_A_FORM; i++) add(form, [random.pick(singles)]);
  }
  const useful = [...SPELLINGS, ...STRUCTURES];
  for (let i = 0; i < PAIRS_OF_AN_INTENT; i++) {
    const second = random.pick([SPELLINGS, STRUCTURES]);
    add(random.pick(intent.forms), [random.pick(useful), random.pick(second)]);
  }
  for (let i = 0; i < TRIPLES_OF_AN_INTENT; i++) {
    add(random.pick(intent.forms), [random.pick(SPELLINGS), random.pick(STRUCTURES), random.pick(SPELLINGS)]);
  }
  return [...found.values()];
}
