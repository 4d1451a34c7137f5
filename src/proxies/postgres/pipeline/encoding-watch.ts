import { setImmediate as othersTurn } from 'node:timers/promises';
import type { MaybePromise } from '../../../kernel/async/maybe-promise';
import type { Text } from '../../../kernel/text/long-text';

/**
 * Matches words of statements that can change the client's encoding: SET, set_config, and statements that
 * execute a text. After the statement, the server and the rules may decode bytes outside ASCII differently.
 * ASCII means the same in every encoding of PostgreSQL. A function of the target that changes the encoding is
 * not detected.
 */
const RISKY =
  /encoding|names|set_config|pg_settings|_to_xml|ts_stat|ts_rewrite|\bdo\b|\bcall\b|\bexecute\b|discard|reset|u&|\brollback\b|\babort\b/i;

/**
 * Number of UTF-16 code units that are searched before the event loop turns: one or two milliseconds of work.
 */
const SLICE = 128 * 1024;
/** Overlap of two slices, longer than any of the words, so that a word across both slices is found. */
const OVERLAP = 32;

/**
 * Whether a statement may change the encoding; a promise for a long statement. A word that is cut at the edge
 * of a slice may look like a word of `RISKY`, which is harmless.
 */
export function mayChangeEncoding(statement: Text): MaybePromise<boolean> {
  return typeof statement === 'string' && statement.length <= SLICE
    ? RISKY.test(statement)
    : hasRiskySlice(statement);
}

async function hasRiskySlice(statement: Text): Promise<boolean> {
  // Decodes bytes as latin1, which is enough, because the searched words are ASCII and other characters only
  // end a word.
  const slice = (start: number, end: number): string =>
    typeof statement === 'string'
      ? statement.slice(start, end)
      : statement.bytes.toString('latin1', start, end);
  for (let at = 0; at < statement.length; at += SLICE) {
    if (RISKY.test(slice(Math.max(at - OVERLAP, 0), at + SLICE))) return true;
    await othersTurn();
  }
  return false;
}
