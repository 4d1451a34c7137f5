import { int32, message, text } from '../../src/proxies/postgres/wire/message';

/** Encoders of PostgreSQL client messages. Source: PostgreSQL's documentation, "Message Formats". */

const int16 = (value: number): Buffer => Buffer.of((value >> 8) & 255, value & 255);
const int16s = (values: readonly number[]): Buffer =>
  Buffer.concat([int16(values.length), ...values.map(int16)]);

/** Encodes a text, or bytes that need not be valid UTF-8, with a terminating zero. */
const raw = (value: string | Buffer): Buffer =>
  typeof value === 'string' ? text(value) : Buffer.concat([value, Buffer.of(0)]);

export const query = (sql: string | Buffer): Buffer => message('Q', raw(sql));

export const parse = (sql: string | Buffer, name = ''): Buffer =>
  message('P', text(name), raw(sql), int16(0));

export interface BindOptions {
  readonly statement?: string;
  readonly portal?: string;
  /** Format codes of the values, and of the result columns: none (all text), one for all, or one for each. */
  readonly formats?: readonly number[];
  readonly results?: readonly number[];
}

export function bind(values: readonly (string | Buffer | null)[] = [], options: BindOptions = {}): Buffer {
  const { statement = '', portal = '', formats = [], results = [] } = options;
  const fields = values.flatMap((value) => {
    if (value === null) return [int32(-1)];
    const bytes = Buffer.from(value as string);
    return [int32(bytes.length), bytes];
  });
  return message(
    'B',
    text(portal),
    text(statement),
    int16s(formats),
    int16(values.length),
    ...fields,
    int16s(results),
  );
}

export const describeStatement = (name = ''): Buffer => message('D', text(`S${name}`));
export const describePortal = (name = ''): Buffer => message('D', text(`P${name}`));
export const execute = (portal = '', rows = 0): Buffer => message('E', text(portal), int32(rows));
export const closeStatement = (name = ''): Buffer => message('C', text(`S${name}`));
export const SYNC = message('S');
export const FLUSH = message('H');
export const TERMINATE = message('X');
export const copyData = (data: string | Buffer): Buffer => message('d', Buffer.from(data as string));
export const COPY_DONE = message('c');
export const copyFail = (reason: string): Buffer => message('f', text(reason));
/** Encodes a FunctionCall of the function with this object id, without arguments. */
export const functionCall = (oid: number): Buffer => message('F', int32(oid), int16(0), int16(0), int16(0));
