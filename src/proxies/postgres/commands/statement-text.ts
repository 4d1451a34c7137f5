import { isAscii } from 'node:buffer';
import type { MaybePromise } from '../../../kernel/async/maybe-promise';
import { TimeSlice } from '../../../kernel/async/time-slice';
import type { BoundValues, Message } from '../wire/client-messages';

const NOTHING: Buffer = Buffer.alloc(0);
/** Maximum number of values that are handled without time slices. */
const FEW_VALUES = 100;

/**
 * Returns a text in single quotes, as psql writes it. Backslashes are not escaped, because the text is only
 * judged and recorded, never executed.
 */
export function quotedLiteral(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** A quoted SQL identifier. */
export function identifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/**
 * Returns the first name or value in the message that is not ASCII; an empty buffer if there is none. First
 * checks the whole message, including its length fields, because most messages are ASCII throughout.
 */
export function firstNonAscii(
  message: Message,
  statement: Buffer,
  portal: Buffer,
  values: BoundValues,
): MaybePromise<Buffer> {
  const { bytes, start, end } = message;
  if (isAscii(bytes.subarray(start, end))) return NOTHING;
  const names = [statement, portal].find((name) => !isAscii(name));
  if (names !== undefined) return names;
  if (values.length > FEW_VALUES) return beyondAsciiInTime(values);
  for (const { bytes: value } of values) if (value !== null && !isAscii(value)) return value;
  return NOTHING;
}

async function beyondAsciiInTime(values: BoundValues): Promise<Buffer> {
  const slice = new TimeSlice();
  for (const { bytes } of values) {
    if (bytes !== null && !isAscii(bytes)) return bytes;
    if (slice.isOver) await slice.next();
  }
  return NOTHING;
}
