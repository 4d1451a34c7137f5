import { setImmediate as turn } from 'node:timers/promises';
import { piecesOf } from '../../kernel/pieces';
import type { FieldCheck } from '../dto-fields';
import { HAS_NO_NUL, isStorable } from '../fields';

/** UTF-16 code units. */
const LONG = 512 * 1024;

/** Checks that say the same of every text but the empty one, and the one that `standIn` answers for. */
const ANSWERED: ReadonlySet<string | undefined> = new Set([
  'isString',
  'isNotEmpty',
  'isOptional',
  undefined,
  HAS_NO_NUL,
]);

/** Whether the checks of such a text would hold the event loop, and a short one can be checked in its place. */
export function needsStandIn(value: unknown, checks: readonly FieldCheck[]): value is string {
  return typeof value === 'string' && value.length > LONG && checks.every(({ name }) => ANSWERED.has(name));
}

/** A short text of which the checks say what they would say of this one, which is read in pieces, with turns for others. */
export async function standIn(text: string): Promise<string> {
  for (const piece of piecesOf(text, LONG)) {
    if (!isStorable(piece)) return '\0';
    await turn();
  }
  return 'x';
}
