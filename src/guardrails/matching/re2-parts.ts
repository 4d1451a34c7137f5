import type { RE2JS, RE2Set } from 're2js';

/**
 * Private parts of re2js, used only in this file. The steps of a compiled pattern show how a match begins. A
 * reset of a set's states shows that a search has become slow. `re2-parts.spec.ts` fails when a version of
 * re2js changes these parts.
 */

/** A step of a compiled pattern: `Inst` in the library's source. */
export interface Step {
  readonly op: number;
  readonly out: number;
  readonly arg: number;
  readonly runes: ArrayLike<number>;
  matchRune(rune: number): boolean;
}

export interface Program {
  readonly inst: readonly Step[];
  readonly start: number;
}

/** Values of `op`. */
export const ALT = 1;
export const ALT_MATCH = 2;
export const CAPTURE = 3;
export const EMPTY_WIDTH = 4;
export const FAIL = 5;
export const MATCH = 6;
export const NOP = 7;
/** Lowest `op` of the steps that read a character. */
export const RUNE = 8;
const RUNE_ANY_NOT_NL = 11;

/**
 * Returns the steps of a pattern; undefined if they do not have the expected form. Then no text can be ruled
 * out, which is slower but equally safe.
 */
export function programOf(pattern: RE2JS): Program | undefined {
  const { prog } = (pattern as unknown as { re2Input?: { prog?: Program } }).re2Input ?? {};
  return prog?.inst.every(isKnown) === true ? prog : undefined;
}

function isKnown(step: Step): boolean {
  return step.op >= ALT && step.op <= RUNE_ANY_NOT_NL && 'runes' in step && 'matchRune' in step;
}

/**
 * Calls `call` before the set drops all its states because they fill its memory. `call` may throw, which ends
 * the search.
 */
export function beforeReset(set: RE2Set, call: (states: number) => void): void {
  const { dfa } = set;
  const reset = dfa.resetCache.bind(dfa);
  dfa.resetCache = (current: unknown): unknown => {
    call(dfa.stateCount);
    return reset(current);
  };
}
