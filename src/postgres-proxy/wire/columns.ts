import { textOf } from '../../kernel/utf8';
import { Fields } from './fields';
import { message, text as textField } from './message';

/** A column of a result, as RowDescription tells. */
export interface Column {
  readonly name: string;
  /** Object id of its type. */
  readonly type: number;
  readonly isBinary: boolean;
}

/** Bytes of what follows the name of a column. */
const AFTER_NAME = 18;

/** The columns of a RowDescription. Source: PostgreSQL documentation, "Message Formats". */
export function columnsOf(bytes: Buffer, start: number, end: number): Column[] {
  const fields = new Fields(bytes, start, end);
  const columns: Column[] = [];
  for (let count = fields.int16(); count > 0; count -= 1) {
    const name = textOf(fields.text());
    // Table (int32), attribute (int16).
    fields.int32();
    fields.int16();
    const type = fields.int32();
    // Size of the type (int16) and its modifier (int32).
    fields.int16();
    fields.int32();
    columns.push({ name, type, isBinary: fields.int16() === 1 });
  }
  return columns;
}

/** A RowDescription with other names, one for each column. */
export function renamed(bytes: Buffer, start: number, end: number, names: readonly string[]): Buffer {
  const fields = new Fields(bytes, start, end);
  const parts: Buffer[] = [fields.bytes.subarray(start, start + 2)];
  fields.int16();
  for (const name of names) {
    fields.text();
    parts.push(textField(name), fields.bytesOf(AFTER_NAME));
  }
  return message('T', ...parts);
}

/** The columns of a statement with the formats that a portal asks for: none, one for all, or one for each. */
export function inFormats(columns: readonly Column[], formats: readonly number[]): Column[] {
  return columns.map((column, index) => ({ ...column, isBinary: formatOf(formats, index) === 1 }));
}

export function formatOf(formats: readonly number[], index: number): number {
  return formats.length === 1 ? (formats[0] as number) : (formats[index] ?? 0);
}

/** Types whose binary form is their text. Source: PostgreSQL's catalog, pg_type.dat. */
const TEXTS = new Set([
  18, // char
  19, // name
  25, // text
  114, // json
  142, // xml
  705, // unknown
  1042, // bpchar
  1043, // varchar
]);

const UNKNOWN = 705;
const INT8 = 20;
const INT2 = 21;
const INT4 = 23;
const OID = 26;

/** Whether a value of the column can be changed as a text. */
export function isText(column: Column | undefined, isBinary: boolean): boolean {
  return !isBinary || (column !== undefined && TEXTS.has(column.type));
}

/** A binary value as the text that rules look at: whole numbers in digits, everything else by its bytes. */
export function readable(column: Column | undefined, value: Buffer): string {
  switch (column?.type ?? UNKNOWN) {
    case INT8:
      return value.length === 8 ? value.readBigInt64BE().toString() : textOf(value);
    case INT2:
      return value.length === 2 ? String(value.readInt16BE()) : textOf(value);
    case INT4:
      return value.length === 4 ? String(value.readInt32BE()) : textOf(value);
    case OID:
      return value.length === 4 ? String(value.readUInt32BE()) : textOf(value);
    default:
      return textOf(value);
  }
}
