import { setImmediate as turn } from 'node:timers/promises';
import { piecesOf } from '../../../kernel/text/pieces';
import type { FieldCheck } from '../dto/dto-fields';
import { HAS_NO_NUL, isStorable } from '../dto/fields';

/** Length above which a text is long, in UTF-16 code units. */
const LONG = 512 * 1024;

/**
 * Names of the checks for which `standIn` may replace a long text. They give the same result for every
 * non-empty text, or `standIn` performs the check itself.
 */
const ANSWERED: ReadonlySet<string | undefined> = new Set([
  'isString',
  'isNotEmpty',
  'isOptional',
  undefined,
  HAS_NO_NUL,
]);

/** Whether the text is so long that its validation blocks the event loop, and `standIn` can replace it. */
export function needsStandIn(value: unknown, checks: readonly FieldCheck[]): value is string {
  return typeof value === 'string' && value.length > LONG && checks.every(({ name }) => ANSWERED.has(name));
}

/**
 * Returns a short text with the same validation result as the long text. Reads the long text in pieces, with
 * turns of the event loop in between.
 */
export async function standIn(text: string): Promise<string> {
  for (const piece of piecesOf(text, LONG)) {
    if (!isStorable(piece)) return '\0';
    await turn();
  }
  return 'x';
}
