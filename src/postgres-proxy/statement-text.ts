import { isAscii, isUtf8 } from 'node:buffer';
import type { BoundValue, Message } from './wire/client-messages';
import { textOf } from '../kernel/utf8';

const NOTHING: Buffer = Buffer.alloc(0);

/** A text as psql writes it between single quotes; psql's own backslash escapes are of no matter to whoever reads it. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** An identifier as SQL writes it. */
export function identifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/**
 * A Bind as it is recorded: the meta-command by which psql says the same (PostgreSQL documentation, psql,
 * `\bind_named`). Binary values that are no text are in the hexadecimal form of bytea.
 */
export function bindText(statement: string, values: readonly BoundValue[]): string {
  let text = statement === '' ? '\\bind' : `\\bind_named ${quoted(statement)}`;
  for (const { bytes, isBinary } of values) {
    if (bytes === null) text += ' NULL';
    else if (isBinary && !isReadable(bytes)) text += ` '\\x${bytes.toString('hex')}'`;
    else text += ` ${quoted(textOf(bytes))}`;
  }
  return text;
}

function isReadable(bytes: Buffer): boolean {
  return (
    bytes.length > 0 && isUtf8(bytes) && bytes.every((byte) => byte >= 0x20 || byte === 0x09 || byte === 0x0a)
  );
}

/** The first of the texts that is not ASCII; lengths are of no matter, and most messages have no such byte even there. */
export function beyondAscii(
  message: Message,
  statement: Buffer,
  portal: Buffer,
  values: readonly BoundValue[],
): Buffer {
  const { bytes, start, end } = message;
  if (isAscii(bytes.subarray(start, end))) return NOTHING;
  const texts = [statement, portal, ...values.map((value) => value.bytes)];
  return texts.find((text) => text !== null && !isAscii(text)) ?? NOTHING;
}
