import { setImmediate as turn } from 'node:timers/promises';
import { piecesOf } from '../../../kernel/text/pieces';
import type { FieldCheck } from '../dto/dto-fields';
import { HAS_NO_NUL, isStorable } from '../dto/fields';

/** UTF-16 code units. */
const LONG = 512 * 1024;

/** Checks with the same result for every non-empty text, and the check that `standIn` answers. */
const ANSWERED: ReadonlySet<string | undefined> = new Set([
  'isString',
  'isNotEmpty',
  'isOptional',
  undefined,
  HAS_NO_NUL,
]);

/** Whether validating the text would block the event loop, and a short text can be validated instead. */
export function needsStandIn(value: unknown, checks: readonly FieldCheck[]): value is string {
  return typeof value === 'string' && value.length > LONG && checks.every(({ name }) => ANSWERED.has(name));
}

/**
 * A short text with the same validation result. The long text is read in
 * pieces, with turns of the event loop in between.
 */
export async function standIn(text: string): Promise<string> {
  for (const piece of piecesOf(text, LONG)) {
    if (!isStorable(piece)) return '\0';
    await turn();
  }
  return 'x';
}
