import type { Draw } from './draw';
import { type Value, int32 } from './messages';

/** Types of the parameters of statements. `small` is an integer below 30, so that results have few rows. */
export type Kind =
  | 'int4'
  | 'int8'
  | 'small'
  | 'text'
  | 'long'
  | 'bytea'
  | 'float8'
  | 'bool'
  | 'jsonb'
  | 'numeric'
  | 'timestamptz'
  | 'mood'
  | 'ints';

const TEXTS = [
  '',
  'a',
  'plain words',
  "it's; -- quoted",
  'Grüße aus Köln',
  '日本語のテキスト',
  '🚀🛰️ rockets',
  'back\\slash \\N \\.',
  'tab\tand\nnew line\r\n',
  '\u200bzero\u200bwidth\ufeff',
  'DROP TABLE items',
  'eve@example.com',
];
const INTEGERS = [0, 1, 2, 3, 7, 19, -1, 2_147_483_647, -2_147_483_648];

/** Draws a value of the type, as text or binary. Some are NULL, and the server refuses some. */
export function drawValue(draw: Draw, kind: Kind): Value {
  if (draw.once(20)) return { format: draw.once(2) ? 0 : 1, bytes: null };
  if (draw.once(40)) return refused(draw);
  return draw.once(2) ? text(asText(draw, kind)) : binary(draw, kind);
}

export function drawText(draw: Draw): string {
  return draw.pick(TEXTS);
}

const text = (value: string): Value => ({ format: 0, bytes: Buffer.from(value) });
const raw = (bytes: Buffer): Value => ({ format: 1, bytes });

/** Draws an invalid value: a text that is no number, date or JSON, or 7 bytes, which is no type's length. */
function refused(draw: Draw): Value {
  return draw.once(2) ? text('12x {') : raw(Buffer.from([1, 2, 3, 4, 5, 6, 7]));
}

function asText(draw: Draw, kind: Kind): string {
  switch (kind) {
    case 'int4':
    case 'int8':
      return String(draw.pick(INTEGERS));
    case 'small':
      return String(draw.below(30));
    case 'text':
      return drawText(draw);
    case 'long':
      return drawText(draw).padEnd(draw.pick([100, 10_000, 70_000, 300_000]), 'long ');
    case 'bytea':
      return draw.once(2) ? '\\x00ff10' : 'a\\000b';
    case 'float8':
      return draw.pick(['0', '1.5', '-2e300', 'NaN', 'Infinity']);
    case 'bool':
      return draw.pick(['t', 'f', 'yes', '0']);
    case 'jsonb':
      return draw.pick(['{"a": [1, null]}', '"text"', 'null', '{"é": "\\u00e9"}']);
    case 'numeric':
      return draw.pick(['0', '12.340', '-99999999.99', '1e-5', 'NaN']);
    case 'timestamptz':
      return draw.pick([
        '2026-02-28 23:59:59.999999+00',
        '0001-01-01 BC',
        'infinity',
        '2026-06-01T12:00:00+14',
      ]);
    case 'mood':
      return draw.pick(['calm', 'busy', 'angry']);
    case 'ints':
      return draw.pick(['{}', '{1,NULL,3}', '{{1,2},{3,4}}', '[0:1]={5,6}']);
  }
}

function binary(draw: Draw, kind: Kind): Value {
  switch (kind) {
    case 'int4':
      return raw(int32(draw.pick(INTEGERS)));
    case 'small':
      return raw(int32(draw.below(30)));
    case 'int8':
    case 'timestamptz':
      return raw(int64(BigInt(draw.pick(INTEGERS)) * 1_000_003n));
    case 'float8':
      return raw(float64(draw.pick([0, -0, 1.5, Number.NaN, 1e-300])));
    case 'bool':
      return raw(Buffer.from([draw.below(2)]));
    case 'jsonb':
      return raw(Buffer.concat([Buffer.from([1]), Buffer.from(asText(draw, kind))]));
    case 'bytea':
      return raw(Buffer.from(draw.times(draw.below(50), () => draw.below(256))));
    case 'text':
    case 'long':
    case 'mood':
      return raw(Buffer.from(asText(draw, kind)));
    case 'numeric':
    case 'ints':
      return text(asText(draw, kind));
  }
}

function int64(value: bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64BE(value);
  return bytes;
}

function float64(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleBE(value);
  return bytes;
}
