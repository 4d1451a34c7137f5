import { setImmediate as othersTurn } from 'node:timers/promises';
import type { MaybePromise } from '../../kernel/maybe-promise';
import type { Text } from '../../kernel/long-text';

/**
 * Words of statements that can change the client's encoding: SET, set_config, and what runs a text of its own. After
 * such a one, bytes beyond ASCII may mean something else to the server than to whoever judges them; ASCII means the
 * same in every encoding of PostgreSQL. Not seen: a function of the target that does so.
 */
const RISKY =
  /encoding|names|set_config|pg_settings|_to_xml|ts_stat|ts_rewrite|\bdo\b|\bcall\b|\bexecute\b|discard|reset|u&|\brollback\b|\babort\b/i;

/** UTF-16 code units that are searched at once: a millisecond or two, after which it is the turn of others. */
const SLICE = 128 * 1024;
/** Longer than any of the words, so that none is lost between two slices. */
const OVERLAP = 32;

/** A promise where the statement is long. A word that a slice cuts may be taken for a risky one: that is on the safe side. */
export function mayChangeEncoding(statement: Text): MaybePromise<boolean> {
  return typeof statement === 'string' && statement.length <= SLICE
    ? RISKY.test(statement)
    : hasRiskySlice(statement);
}

async function hasRiskySlice(statement: Text): Promise<boolean> {
  // The words are ASCII, and so are what may stand beside them.
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
