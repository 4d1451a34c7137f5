import { isAscii } from 'node:buffer';
import type { MaybePromise } from '../../kernel/maybe-promise';
import { TimeSlice } from '../../kernel/time-slice';
import type { BoundValues, Message } from './wire/client-messages';

const NOTHING: Buffer = Buffer.alloc(0);
/** More are looked at bit by bit. */
const FEW_VALUES = 100;

/** A text as psql writes it between single quotes; psql's own backslash escapes are of no matter to whoever reads it. */
export function quotedLiteral(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** An identifier as SQL writes it. */
export function identifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** The first of the texts that is not ASCII; lengths are of no matter, and most messages have no such byte even there. */
export function beyondAscii(
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
