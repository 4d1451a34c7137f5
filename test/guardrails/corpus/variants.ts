import type { Form, Intent } from './intent';
import { INTENTS } from './intents';
import { DISGUISES, SPELLINGS, type Transform } from './lexical-transforms';
import { SeededRandom } from './random';
import { FEINTS, LONG, STRUCTURES } from './structures';

/** One text to try, and what it was made of. */
export interface Variant {
  readonly intent: Intent;
  readonly text: string;
  readonly commits: boolean;
  /** In the order they were applied; empty for a form as it stands. */
  readonly transforms: readonly Transform[];
}

const SEED = 4;
/** Single transforms of each form but the plain one, which gets all of them. */
const SINGLES_OF_A_FORM = 10;
const PAIRS_OF_AN_INTENT = 120;
const TRIPLES_OF_AN_INTENT = 50;

/** Every variant of the corpus: the same at every run, each text once for its intent. */
export function allVariants(): Variant[] {
  return INTENTS.flatMap((intent, index) => variantsOf(intent, new SeededRandom(SEED + index)));
}

/** One in so many of all is in the short form. */
const ONE_IN = 30;
/**
 * For each transform, so many of the first variants with this transform alone are in the short form: some of
 * them have their effect.
 */
const OF_A_TRANSFORM = 3;
/** Texts of 300 KiB are nine tenths of all that is judged. */
const isOfManyBytes = ({ transforms }: Variant): boolean => transforms.some((one) => LONG.includes(one));

/**
 * The short form of the corpus, for `npm test`: every form as it stands, some
 * of each transform, some of all others.
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
 * The variants that statement rules judge in the short form: all but the
 * largest, and of those the ones above.
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
