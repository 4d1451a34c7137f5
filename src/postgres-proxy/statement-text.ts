import { isUtf8 } from 'node:buffer';
import type { BoundValue } from './wire/client-messages';
import { textOf } from '../kernel/utf8';

/** A text as psql writes it between single quotes; psql's own backslash escapes are of no matter to whoever reads it. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** An identifier as SQL writes it. */
export function identifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** What rules look at of a value: a binary one by its bytes, because texts are sent in that form too. */
export function judgedValue({ bytes }: BoundValue): string | undefined {
  return bytes === null || bytes.length === 0 ? undefined : textOf(bytes);
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
