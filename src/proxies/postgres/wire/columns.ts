import { textOf } from '../../../kernel/text/utf8';
import { FieldReader } from './fields';
import { message, text as textField } from './message';

/** A column of a result, as RowDescription reports it. */
export interface Column {
  readonly name: string;
  /** Object id of the column's table, and the column's number there; 0 if it does not come from a table. */
  readonly table: number;
  readonly attribute: number;
  /** Object id of the column's type. */
  readonly type: number;
  readonly isBinary: boolean;
}

/** Number of bytes that follow a column's name. */
const AFTER_NAME = 18;

/** Reads the columns of a RowDescription. Source: PostgreSQL documentation, "Message Formats". */
export function columnsOf(bytes: Buffer, start: number, end: number): Column[] {
  const fields = new FieldReader(bytes, start, end);
  const columns: Column[] = [];
  for (let count = fields.int16(); count > 0; count -= 1) {
    const name = textOf(fields.text());
    const table = fields.int32() >>> 0;
    const attribute = fields.int16();
    const type = fields.int32();
    // Skip the size of the type (int16) and the type modifier (int32).
    fields.int16();
    fields.int32();
    columns.push({ name, table, attribute, type, isBinary: fields.int16() === 1 });
  }
  return columns;
}

/** Returns a copy of a RowDescription with the given names, one for each column. */
export function withColumnNames(bytes: Buffer, start: number, end: number, names: readonly string[]): Buffer {
  const fields = new FieldReader(bytes, start, end);
  const parts: Buffer[] = [fields.bytes.subarray(start, start + 2)];
  fields.int16();
  for (const name of names) {
    fields.text();
    parts.push(textField(name), fields.bytesOf(AFTER_NAME));
  }
  return message('T', ...parts);
}

/** Applies a portal's format codes to the columns of a statement: none, one for all, or one for each. */
export function inFormats(columns: readonly Column[], formats: readonly number[]): Column[] {
  return columns.map((column, index) => ({ ...column, isBinary: formatOf(formats, index) === 1 }));
}

export function formatOf(formats: readonly number[], index: number): number {
  return formats.length === 1 ? (formats[0] as number) : (formats[index] ?? 0);
}
