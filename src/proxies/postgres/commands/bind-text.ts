import { StringDecoder } from 'node:string_decoder';
import { isUtf8 } from 'node:buffer';
import type { EventContent } from '../../../gate/ports/session-recorder';
import { type MaybePromise, thenMaybe } from '../../../kernel/async/maybe-promise';
import { TimeSlice } from '../../../kernel/async/time-slice';
import { textOf } from '../../../kernel/text/utf8';
import { firstNonAscii, quotedLiteral } from './statement-text';
import type { Bind, BoundValue, BoundValues, Message } from '../wire/client-messages';

/** Maximum number of values, and size of a value in bytes, for writing a message without time slices. */
const FEW_VALUES = 100;
const PART_BYTES = 64 * 1024;

/**
 * Returns the text with which a Bind is recorded, in the form of psql's meta-command (PostgreSQL
 * documentation, psql, `\bind_named`). Binary values that are not text are written in the hexadecimal form of
 * bytea. The text of a large Bind is built in pieces, in time slices.
 */
function bindText(statement: string, values: BoundValues): MaybePromise<EventContent> {
  if (values.length > FEW_VALUES) return largeText(statement, values);
  let text = head(statement);
  for (const value of values) {
    if ((value.bytes?.length ?? 0) > PART_BYTES) return largeText(statement, values);
    text += ` ${written(value)}`;
  }
  return text;
}

/** Returns the text to record for a Bind, and the first name or value in the Bind that is not ASCII. */
export function readBind(
  message: Message,
  { portal, statement, values }: Bind,
  name: string,
): MaybePromise<{ readonly bytes: Buffer; readonly recorded: EventContent }> {
  return thenMaybe(bindText(name, values), (recorded) =>
    thenMaybe(firstNonAscii(message, statement, portal, values), (bytes) => ({ bytes, recorded })),
  );
}

async function largeText(statement: string, values: BoundValues): Promise<readonly Buffer[]> {
  const slice = new TimeSlice();
  const pieces: Buffer[] = [];
  let text = head(statement);
  for (const value of values) {
    text += ' ';
    for (const part of isLarge(value) ? await writtenInParts(value, slice) : [written(value)]) {
      text += part;
      if (text.length < PART_BYTES) continue;
      pieces.push(Buffer.from(text));
      text = '';
      if (slice.isOver) await slice.next();
    }
    if (slice.isOver) await slice.next();
  }
  pieces.push(Buffer.from(text));
  return pieces;
}

function head(statement: string): string {
  return statement === '' ? '\\bind' : `\\bind_named ${quotedLiteral(statement)}`;
}

interface LargeValue extends BoundValue {
  readonly bytes: Buffer;
}

function isLarge(value: BoundValue): value is LargeValue {
  return value.bytes !== null && value.bytes.length > PART_BYTES;
}

function written({ bytes, isBinary }: BoundValue): string {
  if (bytes === null) return 'NULL';
  if (isBinary && !(bytes.length > 0 && isUtf8(bytes) && isReadable(bytes)))
    return `'\\x${bytes.toString('hex')}'`;
  return quotedLiteral(textOf(bytes));
}

async function writtenInParts({ bytes, isBinary }: LargeValue, slice: TimeSlice): Promise<Iterable<string>> {
  return isBinary && !(isUtf8(bytes) && (await isReadableInTime(bytes, slice)))
    ? hexadecimal(bytes)
    : quotedText(bytes);
}

function* quotedText(bytes: Buffer): Generator<string> {
  const decoder = new StringDecoder();
  yield "'";
  for (const part of partsOf(bytes)) yield decoder.write(part).replaceAll("'", "''");
  yield `${decoder.end()}'`;
}

function* hexadecimal(bytes: Buffer): Generator<string> {
  yield "'\\x";
  for (const part of partsOf(bytes)) yield part.toString('hex');
  yield "'";
}

function* partsOf(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += PART_BYTES) yield bytes.subarray(at, at + PART_BYTES);
}

async function isReadableInTime(bytes: Buffer, slice: TimeSlice): Promise<boolean> {
  for (const part of partsOf(bytes)) {
    if (!isReadable(part)) return false;
    if (slice.isOver) await slice.next();
  }
  return true;
}

/** Whether the bytes contain no control characters below 0x20 except tab and line feed. */
function isReadable(bytes: Buffer): boolean {
  return bytes.every((byte) => byte >= 0x20 || byte === 0x09 || byte === 0x0a);
}
