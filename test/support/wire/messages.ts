/**
 * A message of the PostgreSQL protocol, version 3: the type byte as a letter, and the bytes after the length.
 */
export interface WireMessage {
  readonly type: string;
  readonly body: Buffer;
}

export type Format = 0 | 1;

/** Value of a parameter (null for NULL) and its format. */
export interface Value {
  readonly format: Format;
  readonly bytes: Buffer | null;
}

export interface BindMessage {
  readonly portal: string;
  readonly statement: string;
  readonly values: readonly Value[];
  /** Formats of the result columns: none (all text), one for all columns, or one for each column. */
  readonly resultFormats: readonly Format[];
}

export function frame(type: string, ...parts: readonly Buffer[]): Buffer {
  const length = parts.reduce((sum, part) => sum + part.length, 4);
  return Buffer.concat([Buffer.from(type, 'latin1'), int32(length), ...parts]);
}

export function int16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeInt16BE(value);
  return bytes;
}

export function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}

export function cstring(text: string): Buffer {
  return Buffer.from(`${text}\0`);
}

export const query = (sql: string): Buffer => frame('Q', cstring(sql));

export function parse(name: string, sql: string, typeOids: readonly number[] = []): Buffer {
  return frame('P', cstring(name), cstring(sql), int16(typeOids.length), ...typeOids.map(int32));
}

export function bind({ portal, statement, values, resultFormats }: BindMessage): Buffer {
  const parts = values.flatMap(({ bytes }) => (bytes === null ? [int32(-1)] : [int32(bytes.length), bytes]));
  return frame(
    'B',
    cstring(portal),
    cstring(statement),
    int16(values.length),
    ...values.map(({ format }) => int16(format)),
    int16(values.length),
    ...parts,
    int16(resultFormats.length),
    ...resultFormats.map(int16),
  );
}

/** `S` is a prepared statement, `P` a portal. */
export type Named = 'S' | 'P';

export const describe = (kind: Named, name: string): Buffer => frame('D', Buffer.from(kind), cstring(name));
export const close = (kind: Named, name: string): Buffer => frame('C', Buffer.from(kind), cstring(name));
export const execute = (portal: string, rows = 0): Buffer => frame('E', cstring(portal), int32(rows));
export const sync = (): Buffer => frame('S');
export const flush = (): Buffer => frame('H');
export const terminate = (): Buffer => frame('X');
export const copyData = (bytes: Buffer): Buffer => frame('d', bytes);
export const copyDone = (): Buffer => frame('c');
export const copyFail = (reason: string): Buffer => frame('f', cstring(reason));

/** Encodes a StartupMessage of protocol 3.0. It has no type byte. */
export function startup(parameters: Readonly<Record<string, string>>): Buffer {
  const pairs = Object.entries(parameters).flatMap(([key, value]) => [cstring(key), cstring(value)]);
  const body = Buffer.concat([int32(196_608), ...pairs, Buffer.alloc(1)]);
  return Buffer.concat([int32(body.length + 4), body]);
}
