import * as fc from './fast-check';

/** A type of PostgreSQL, with texts that the server accepts as its values. */
export interface Kind {
  readonly type: string;
  readonly values: fc.Arbitrary<string>;
  /** Whether the server can make an array of the type; true by default. */
  readonly hasArray?: boolean;
}

const words = fc.oneof(
  fc.string({ unit: 'grapheme-composite', maxLength: 12 }).map((text) => text.replaceAll('\0', '')),
  fc
    .array(
      fc.constantFrom(
        'a',
        ' ',
        '"',
        '\\',
        '{',
        '}',
        '(',
        ')',
        '[',
        ']',
        ',',
        ';',
        "'",
        '\t',
        '\n',
        '\v',
        'NULL',
        'ü',
        '\u00A0',
        '😀',
      ),
      {
        maxLength: 6,
      },
    )
    .map((parts) => parts.join('')),
  fc.constantFrom('', 'null', 'NULL', 'nUlL', 'nan'),
);
const digits = (min: number, max: number): fc.Arbitrary<string> =>
  fc.array(fc.integer({ min: 0, max: 9 }), { minLength: min, maxLength: max }).map((list) => list.join(''));
const numbers = fc.oneof(
  fc
    .tuple(fc.constantFrom('', '-'), digits(1, 30), fc.option(digits(1, 20)))
    .map(([sign, whole, part]) => `${sign}${whole}${part === null ? '' : `.${part}`}`),
  fc
    .tuple(fc.integer({ min: -9999, max: 9999 }), fc.integer({ min: -60, max: 60 }))
    .map(([m, e]) => `${m}e${e}`),
  fc.constantFrom('NaN', 'Infinity', '-Infinity', '0', '0.000', '10000', '0.0001', '4111111111111111'),
);
const integers = (bits: bigint, isSigned = true): fc.Arbitrary<string> =>
  fc
    .bigInt(
      isSigned
        ? { min: -(2n ** (bits - 1n)), max: 2n ** (bits - 1n) - 1n }
        : { min: 0n, max: 2n ** bits - 1n },
    )
    .map(String);

const doubles = fc.oneof(
  fc.double().map((value) => (Object.is(value, -0) ? '-0' : String(value))),
  fc.integer({ min: -400_000, max: 400_000 }).map((value) => String(value / 100)),
  fc.tuple(fc.integer({ min: 1, max: 99 }), fc.integer({ min: -30, max: 30 })).map(([m, e]) => `${m}e${e}`),
  fc.constantFrom(
    '1e23',
    '9007199254740993',
    '5e-324',
    '1.7976931348623157e308',
    '123456789012345',
    '1e15',
    '0.0001',
    '0.00001',
  ),
);
const floats = fc.oneof(
  fc.float().map((value) => (Object.is(value, -0) ? '-0' : String(value))),
  fc.integer({ min: -40_000_000, max: 40_000_000 }).map((value) => String(value / 4)),
  fc.constantFrom(
    '1e6',
    '999999',
    '123456.7',
    '0.0001',
    '0.00001',
    '1e-45',
    '3.4028235e38',
    '16777216',
    '33554432',
    '8388608.5',
  ),
);
const finite = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e100, max: 1e100 }).map(String),
  fc.integer({ min: -1000, max: 1000 }).map(String),
);
const two = (value: number): string => String(value).padStart(2, '0');
const clock = fc
  .tuple(fc.nat(23), fc.nat(59), fc.nat(59), fc.oneof(fc.constant(0), fc.nat(999_999)))
  .map(([h, m, s, u]) => `${two(h)}:${two(m)}:${two(s)}.${String(u).padStart(6, '0')}`);
const dates = fc.oneof(
  fc
    .tuple(
      fc.integer({ min: 1, max: 9999 }),
      fc.integer({ min: 1, max: 12 }),
      fc.integer({ min: 1, max: 28 }),
      fc.boolean(),
    )
    .map(
      ([y, m, d, bc]) =>
        `${String(bc ? (y % 4000) + 1 : y).padStart(4, '0')}-${two(m)}-${two(d)}${bc ? ' BC' : ''}`,
    ),
  fc.constantFrom('2000-02-29', '1900-03-01', '4713-01-01 BC', '294275-12-31', '0001-01-01', '0001-12-31 BC'),
);
const unending = fc.constantFrom('infinity', '-infinity');
const moments = fc.tuple(dates, clock).map(([date, time]) => {
  const [day = '', era = ''] = date.split(' ');
  return `${day} ${time}${era === '' ? '' : ` ${era}`}`;
});
const zones = fc.constantFrom('+00', '-05:30', '+14', '-12:34:56', '+01:00:01');
const spans = fc.oneof(
  fc
    .tuple(
      fc.integer({ min: -3000, max: 3000 }),
      fc.integer({ min: -3000, max: 3000 }),
      fc.integer({ min: -(10 ** 12), max: 10 ** 12 }),
    )
    .map(([months, days, micros]) => `${months} mons ${days} days ${micros} microseconds`),
  fc
    .tuple(fc.integer({ min: -2, max: 2 }), fc.integer({ min: -1, max: 1 }), fc.integer({ min: -2, max: 2 }))
    .map(([months, days, seconds]) => `${months} years ${days} days ${seconds} seconds`),
  fc.constantFrom(
    '0',
    '1 second',
    '-1 second',
    '-0.5 seconds',
    '1.5 seconds',
    '-1 day 1 second',
    '1 day -1 second',
  ),
);
const point = fc.tuple(finite, finite).map(([x, y]) => `(${x},${y})`);
const points = fc.array(point, { minLength: 1, maxLength: 5 }).map((list) => list.join(','));
const ipv4 = fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255), fc.nat(255)).map((parts) => parts.join('.'));
const ipv6 = fc.oneof(
  fc
    .array(fc.oneof(fc.constant(0), fc.constant(0xffff), fc.nat(0xffff)), { minLength: 8, maxLength: 8 })
    .map((list) => list.map((word) => word.toString(16)).join(':')),
  ipv4.map((address) => `::${address}`),
  ipv4.map((address) => `::ffff:${address}`),
  fc.constantFrom('::', '::1', '::1:0', '1::', '0:0:1::'),
);
const hex = (length: number): fc.Arbitrary<string> =>
  fc.uint8Array({ minLength: length, maxLength: length }).map((bytes) => Buffer.from(bytes).toString('hex'));
const json = fc.json({ maxDepth: 2 }).filter((text) => !/\\u0000|\\ud[89a-f]/i.test(text));
const bits = fc
  .array(fc.constantFrom('0', '1'), { minLength: 1, maxLength: 40 })
  .map((list) => list.join(''));
const quoted = (text: string): string => `'${text.replaceAll(/['\\]/g, '$&$&')}'`;
const lexemes = words.filter((word) => word !== '').map(quoted);
const vectors = fc
  .array(
    fc
      .tuple(
        lexemes,
        fc.array(fc.tuple(fc.integer({ min: 1, max: 16_383 }), fc.constantFrom('', 'A', 'B', 'C', 'D')), {
          maxLength: 3,
        }),
      )
      .map(([word, places]) =>
        places.length === 0 ? word : `${word}:${places.map((place) => place.join('')).join(',')}`,
      ),
    { maxLength: 5 },
  )
  .map((list) => list.join(' '));
const { query: queries } = fc.letrec<{ query: string }>((tie) => ({
  query: fc.oneof(
    { maxDepth: 4 },
    fc.tuple(lexemes, fc.constantFrom('', ':*', ':AB', ':*D', ':ABCD')).map((parts) => parts.join('')),
    tie('query').map((query) => `!(${query})`),
    fc
      .tuple(tie('query'), fc.constantFrom('&', '|', '<->', '<3>', '<0>'), tie('query'))
      .map(([one, by, other]) => `(${one}) ${by} (${other})`),
  ),
}));
const range = (values: fc.Arbitrary<string>, compare: (one: string, other: string) => number) =>
  fc.oneof(
    fc
      .tuple(fc.constantFrom('[', '('), fc.option(values), fc.option(values), fc.constantFrom(']', ')'))
      .map(([open, one, other, close]) => {
        const [low, high] =
          one !== null && other !== null && compare(one, other) > 0 ? [other, one] : [one, other];
        const shown = (value: string | null) => (value === null ? '' : `"${value}"`);
        return `${open}${shown(low)},${shown(high)}${close}`;
      }),
    fc.constant('empty'),
  );
const byNumber = (one: string, other: string): number => Number(one) - Number(other);
const byText = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);
const small = fc.integer({ min: -100_000, max: 100_000 }).map(String);
const simpleDays = fc
  .integer({ min: 0, max: 40_000 })
  .map((day) => new Date(day * 86_400_000).toISOString().slice(0, 10));
const simpleMoments = fc
  .integer({ min: 0, max: 2_000_000_000 })
  .map((at) => new Date(at * 1000).toISOString().slice(0, 19).replace('T', ' '));
const several = (ranges: fc.Arbitrary<string>) =>
  fc.array(ranges, { maxLength: 4 }).map((list) => `{${list.join(',')}}`);
const cents = integers(63n).map((value) => `${value.slice(0, -2) || '0'}.00`.replace(/^-\./, '-0.'));
const ranges = {
  int4range: range(small, byNumber),
  int8range: range(small, byNumber),
  numrange: range(small, byNumber),
  daterange: range(simpleDays, byText),
  tsrange: range(simpleMoments, byText),
  tstzrange: range(simpleMoments, byText),
} as const;
const transactions = fc
  .tuple(fc.integer({ min: 1, max: 1000 }), fc.uniqueArray(fc.nat(200), { maxLength: 5 }))
  .map(([first, running]) => {
    const list = running.toSorted((one, other) => one - other).map((id) => id + first);
    return `${first}:${first + 300}:${list.join(',')}`;
  });

/** All types of PostgreSQL's catalog that have their own binary format. */
export const kinds: readonly Kind[] = [
  { type: 'bool', values: fc.constantFrom('t', 'f') },
  { type: 'char', values: fc.oneof(fc.constantFrom('a', '', ' ', '"', '\\377', '\\200', '\\')) },
  { type: 'name', values: words },
  { type: 'text', values: words },
  { type: 'varchar', values: words },
  { type: 'bpchar', values: words },
  { type: 'int2', values: integers(16n) },
  { type: 'int4', values: integers(32n) },
  { type: 'int8', values: integers(64n) },
  { type: 'oid', values: integers(32n, false) },
  { type: 'xid', values: integers(32n, false) },
  { type: 'cid', values: integers(32n, false) },
  { type: 'xid8', values: integers(64n, false) },
  {
    type: 'tid',
    values: fc.tuple(integers(32n, false), integers(16n, false)).map((pair) => `(${pair.join(',')})`),
  },
  {
    type: 'int2vector',
    values: fc.array(fc.integer({ min: -9, max: 99 }), { maxLength: 4 }).map((list) => list.join(' ')),
  },
  { type: 'oidvector', values: fc.array(fc.nat(99), { maxLength: 4 }).map((list) => list.join(' ')) },
  { type: 'numeric', values: numbers },
  { type: 'float8', values: doubles },
  { type: 'float4', values: floats },
  { type: 'money', values: cents },
  { type: 'uuid', values: hex(16) },
  { type: 'date', values: fc.oneof(dates, unending) },
  { type: 'time', values: fc.oneof(clock, fc.constant('24:00:00')) },
  { type: 'timetz', values: fc.tuple(clock, zones).map((parts) => parts.join('')) },
  { type: 'timestamp', values: fc.oneof(moments, unending) },
  { type: 'timestamptz', values: fc.oneof(moments, unending) },
  { type: 'interval', values: fc.oneof(spans, unending) },
  { type: 'json', values: json },
  { type: 'jsonb', values: json },
  {
    type: 'jsonpath',
    values: fc.constantFrom(
      '$',
      'strict $.a[*] ? (@.b > 1 && @."c d" like_regex "^x")',
      '$.**{2 to 3}.size()',
    ),
  },
  {
    type: 'xml',
    values: fc.constantFrom(
      '<a>1</a>',
      'text',
      '<?xml version="1.0" encoding="UTF-8"?><a/>',
      '<?xml version="1.1" standalone="yes"?><a b="ü"/>',
    ),
  },
  { type: 'bit', values: bits },
  { type: 'varbit', values: fc.oneof(bits, fc.constant('')) },
  {
    type: 'inet',
    values: fc.oneof(
      ipv4,
      ipv6,
      fc.tuple(ipv4, fc.nat(32)).map((p) => p.join('/')),
      fc.tuple(ipv6, fc.nat(128)).map((p) => p.join('/')),
    ),
  },
  {
    type: 'cidr',
    values: fc.oneof(ipv4, ipv6, fc.constantFrom('10.0.0.0/8', '0.0.0.0/0', '::/0', '2001:db8::/32')),
  },
  { type: 'macaddr', values: hex(6) },
  { type: 'macaddr8', values: hex(8) },
  { type: 'point', values: fc.oneof(point, fc.constant('(NaN,Infinity)')) },
  { type: 'lseg', values: fc.tuple(point, point).map((ends) => `[${ends.join(',')}]`) },
  {
    type: 'path',
    values: fc.oneof(
      points.map((list) => `(${list})`),
      points.map((list) => `[${list}]`),
    ),
  },
  { type: 'box', values: fc.tuple(point, point).map((ends) => ends.join(',')) },
  { type: 'polygon', values: points.map((list) => `(${list})`) },
  {
    type: 'line',
    values: fc.tuple(finite, fc.integer({ min: 1, max: 99 })).map(([a, b]) => `{${a},${b},0.5}`),
  },
  {
    type: 'circle',
    values: fc.tuple(point, fc.nat(1e6)).map(([center, radius]) => `<${center},${radius / 7}>`),
  },
  { type: 'tsvector', values: vectors },
  { type: 'tsquery', values: fc.oneof(queries, fc.constant('')) },
  { type: 'pg_lsn', values: fc.tuple(hex(4), hex(4)).map((parts) => parts.join('/')) },
  { type: 'pg_snapshot', values: transactions },
  { type: 'txid_snapshot', values: transactions },
  ...Object.entries(ranges).map(([type, values]) => ({ type, values })),
  ...Object.entries(ranges).map(([type, values]) => ({
    type: type.replace('range', 'multirange'),
    values: several(values),
  })),
];
