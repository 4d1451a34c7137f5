import { textOf } from '../../../kernel/text/utf8';
import { type Cursor, MAX_CHARACTERS, Unprintable, malformedValue } from '../wire/cursor';
import * as geometry from './geometry';
import { interval } from './interval';
import { macAddress, network } from './network';
import * as numbers from './numbers';
import type { PrintStyle } from './style';
import * as textSearch from './text-search';
import * as times from './times';
import type { TypeTable } from './type-entry';

type Scalar = (cursor: Cursor, style: PrintStyle, types: TypeTable) => string;

const text: Scalar = (cursor) => textOf(cursor.takeRest());
const unsigned: Scalar = (cursor) => String(cursor.uint32());

/** Prints types whose binary form is a version number followed by their text. */
const versioned: Scalar = (cursor) => {
  if (cursor.uint8() !== 1) throw malformedValue();
  return textOf(cursor.takeRest());
};

function bits(cursor: Cursor): string {
  const length = cursor.int32();
  const bytes = cursor.takeRest();
  if (length < 0 || bytes.length * 8 < length) throw malformedValue();
  // Each byte becomes eight characters, so the length is checked before the text is built.
  if (length > MAX_CHARACTERS) throw new Unprintable('it is too large');
  let all = '';
  for (const byte of bytes) all += byte.toString(2).padStart(8, '0');
  return all.slice(0, length);
}

/** Prints "char": one byte, not necessarily a valid character. Source: PostgreSQL, charout in char.c. */
function byteCharacter(cursor: Cursor): string {
  const byte = cursor.uint8();
  if (byte >= 0x80) return `\\${byte.toString(8)}`;
  return byte === 0 ? '' : String.fromCharCode(byte);
}

function uuid(cursor: Cursor): string {
  const hex = cursor.takeBytes(16).toString('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

function snapshot(cursor: Cursor): string {
  const count = cursor.int32();
  const limits = `${cursor.int64()}:${cursor.int64()}`;
  const running: bigint[] = [];
  for (let index = 0; index < count; index += 1) running.push(cursor.int64());
  return `${limits}:${running.join(',')}`;
}

function logPosition(cursor: Cursor): string {
  const high = cursor.uint32().toString(16);
  return `${high}/${cursor.uint32().toString(16)}`.toUpperCase();
}

function dictionary(cursor: Cursor): string {
  const quoted = (value: string): string => `"${value.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
  const pairs: string[] = [];
  for (let count = cursor.int32(); count > 0; count -= 1) {
    const key = cursor.value();
    const value = cursor.value();
    if (key === null) throw malformedValue();
    pairs.push(`${quoted(textOf(key))}=>${value === null ? 'NULL' : quoted(textOf(value))}`);
  }
  return pairs.join(', ');
}

/**
 * Printers for types that do not contain other types, by the internal name of the type's send function.
 *
 * bytea is printed as its bytes, not as hexadecimal digits, because rules must see the text that the client
 * receives. `reg…` types are printed as the number that the client receives, not as the name for this number.
 */
const SCALARS: Readonly<Record<string, Scalar>> = {
  boolsend: (cursor) => (cursor.uint8() === 0 ? 'f' : 't'),
  byteasend: text,
  charsend: byteCharacter,
  namesend: text,
  textsend: text,
  bpcharsend: text,
  varcharsend: text,
  unknownsend: text,
  cstring_send: text,
  json_send: text,
  xml_send: text,
  pg_node_tree_send: text,
  enum_send: text,
  void_send: () => '',
  int2send: (cursor) => String(cursor.int16()),
  int4send: (cursor) => String(cursor.int32()),
  int8send: (cursor) => String(cursor.int64()),
  oidsend: unsigned,
  xidsend: unsigned,
  cidsend: unsigned,
  regprocsend: unsigned,
  regproceduresend: unsigned,
  regopersend: unsigned,
  regoperatorsend: unsigned,
  regclasssend: unsigned,
  regtypesend: unsigned,
  regconfigsend: unsigned,
  regdictionarysend: unsigned,
  regnamespacesend: unsigned,
  regrolesend: unsigned,
  regcollationsend: unsigned,
  xid8send: (cursor) => String(cursor.uint64()),
  tidsend: (cursor) => `(${cursor.uint32()},${cursor.uint16()})`,
  jsonb_send: versioned,
  jsonpath_send: versioned,
  ltree_send: versioned,
  lquery_send: versioned,
  ltxtq_send: versioned,
  hstore_send: dictionary,
  float4send: (cursor) => numbers.float4(cursor.float4()),
  float8send: (cursor) => numbers.float8(cursor.float8()),
  numeric_send: numbers.numeric,
  cash_send: (cursor, _, types) => numbers.money(cursor.int64(), types.money),
  uuid_send: uuid,
  bit_send: bits,
  varbit_send: bits,
  pg_lsn_send: logPosition,
  pg_snapshot_send: snapshot,
  inet_send: network,
  cidr_send: network,
  macaddr_send: macAddress,
  macaddr8_send: macAddress,
  point_send: geometry.point,
  lseg_send: geometry.segment,
  path_send: geometry.path,
  box_send: geometry.box,
  poly_send: geometry.polygon,
  line_send: geometry.line,
  circle_send: geometry.circle,
  tsvectorsend: textSearch.vector,
  tsquerysend: textSearch.query,
  date_send: (cursor, style) => times.date(cursor.int32(), style),
  time_send: (cursor) => times.time(Number(cursor.int64())),
  timetz_send: (cursor) => times.time(Number(cursor.int64())) + times.zone(-cursor.int32()),
  timestamp_send: (cursor, style) => times.timestamp(cursor.int64(), style),
  timestamptz_send: (cursor, style) => times.timestamptz(cursor.int64(), style),
  interval_send: (cursor, style) => interval(cursor.int64(), cursor.int32(), cursor.int32(), style),
};

export function scalarOf(send: string): Scalar | undefined {
  return Object.hasOwn(SCALARS, send) ? SCALARS[send] : undefined;
}

const TEXTS: ReadonlySet<string> = new Set([
  'charsend',
  'namesend',
  'textsend',
  'bpcharsend',
  'varcharsend',
  'unknownsend',
  'json_send',
  'xml_send',
  'enum_send',
]);
const VERSIONED: ReadonlySet<string> = new Set(['jsonb_send', 'ltree_send', 'lquery_send', 'ltxtq_send']);

const JSON_SENDS: ReadonlySet<string> = new Set(['json_send', 'jsonb_send']);

/**
 * Whether any text is a valid text form of the type. True for `reg…` types, whose text form is a name. False
 * for JSON, whose grammar limits the text.
 */
export function isShownAsText(send: string): boolean {
  if (JSON_SENDS.has(send)) return false;
  return TEXTS.has(send) || VERSIONED.has(send) || send === 'cstring_send' || /^reg[a-z]+send$/.test(send);
}

/**
 * Returns the offset at which a binary value contains its text as bytes; undefined if the text must be
 * printed.
 */
export function textPlace(send: string, value: Buffer): number | undefined {
  // A "char" is one byte, not necessarily a valid character.
  if (send === 'charsend') return undefined;
  if (TEXTS.has(send) || send === 'byteasend') return 0;
  return VERSIONED.has(send) && value[0] === 1 ? 1 : undefined;
}

/** Returns the binary form of a text, in parts; undefined where the type's binary form is not its text. */
export function textInBinary(send: string, value: readonly Buffer[]): readonly Buffer[] | undefined {
  if (TEXTS.has(send)) return value;
  return VERSIONED.has(send) ? [Buffer.of(1), ...value] : undefined;
}

/** Returns the part of a binary value that is its text; undefined if the text must be printed. */
export function textBytesOf(send: string, value: Buffer): Buffer | undefined {
  if (TEXTS.has(send) || send === 'byteasend') return value;
  return VERSIONED.has(send) ? value.subarray(1) : undefined;
}
