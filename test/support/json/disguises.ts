/**
 * A way to hide a text from a guardrail rule. `written` is the JSON of a call's arguments, as it is sent.
 */
export interface Disguise {
  readonly name: string;
  readonly written: string;
}

const escapedBy = (text: string, escape: (unit: string, at: number) => string): string =>
  Array.from({ length: text.length }, (_, at) => escape(text.charAt(at), at)).join('');
const hex = (unit: string, length: number) => unit.charCodeAt(0).toString(16).padStart(length, '0');
const escapedUnits = (text: string) => escapedBy(text, (it) => `\\u${hex(it, 4)}`);
const base64 = (text: string) => Buffer.from(text).toString('base64');
const field = (text: string) => JSON.stringify({ a: text });
const nested = (depth: number, inner: string, array: boolean): string =>
  (array ? '[' : '{"a":').repeat(depth) + inner + (array ? ']' : '}').repeat(depth);
const wide = (text: string) =>
  text.replaceAll(/[!-~]/g, (it) => String.fromCharCode(it.charCodeAt(0) + 0xfee0)).replaceAll(' ', '\u3000');
const bold = (text: string) =>
  text.replaceAll(/[A-Za-z0-9]/g, (it) => {
    const code = it.charCodeAt(0);
    if (code < 0x3a) return String.fromCodePoint(0x1d7ce + code - 0x30);
    return String.fromCodePoint(code < 0x5b ? 0x1d400 + code - 0x41 : 0x1d41a + code - 0x61);
  });
const between = (text: string, mark: string) => [...text].join(mark);

/** Returns ways to write the text as one string. */
function whole(text: string): [string, string][] {
  const bytes = Buffer.from(text);
  const json = JSON.stringify(text);
  return [
    ['as it is', text],
    ['among other words', `${text}\n-- and more`],
    ['in full-width letters', wide(text)],
    ['in mathematical letters', bold(text)],
    ['with zero-width spaces', between(text, '\u200b')],
    ['with soft hyphens', between(text, '\u00ad')],
    ['with word joiners', between(text, '\u2060')],
    ['with tag characters', between(text, '\u{e0041}')],
    ['with byte order marks', `\ufeff${between(text, '\ufeff')}`],
    ['with control characters', between(text, '\u0001')],
    ['with other spaces', text.replaceAll(' ', '\u00a0')],
    ['as JSON', field(text)],
    ['as a JSON text', json],
    ['as JSON in JSON', field(field(text))],
    ['as JSON in JSON in JSON', JSON.stringify([field(field(text))])],
    ['as escaped JSON', `{"a":"${escapedUnits(text)}"}`],
    ['as JSON with a name twice', `{"a":${json},"a":"b"}`],
    ['as the name in JSON', JSON.stringify({ [text]: 1 })],
    ['in base64', base64(text)],
    ['in base64 without padding', base64(text).replaceAll('=', '')],
    ['in base64 for URLs', bytes.toString('base64url')],
    ['in base64 twice', base64(base64(text))],
    ['in base64 of JSON', base64(field(text))],
    ['in base64 with line breaks', base64(text).replaceAll(/.{4}/g, '$&\r\n')],
    ['in base64 of UTF-16', Buffer.from(text, 'utf16le').toString('base64')],
    ['in base64 among words', `echo ${base64(`${text}  `)} | base64 -d`],
    ['in JSON in base64', JSON.stringify({ blob: base64(text) })],
    ['in a data URL', `data:text/plain;base64,${base64(text)}`],
    ['in a data URL with percents', `data:,${encodeURIComponent(text)}`],
    ['with percents', escapedBy(text, (it) => `%${hex(it, 2)}`)],
    ['with some percents', escapedBy(text, (it, at) => (at % 3 === 0 ? `%${hex(it, 2)}` : it))],
    ['with percents twice', escapedBy(text, (it) => `%25${hex(it, 2)}`)],
    ['with escapes of bytes', escapedBy(text, (it) => `\\x${hex(it, 2)}`)],
    ['with escapes of units', escapedUnits(text)],
    ['with escapes of points', escapedBy(text, (it) => `\\u{${hex(it, 2)}}`)],
    ['with escapes twice', escapedBy(text, (it) => `\\\\u${hex(it, 4)}`)],
  ];
}

/** Ways to put one string into the arguments of a call. */
const around: [string, (piece: string) => string][] = [
  ['', (piece) => field(piece)],
  ['as a name, ', (piece) => JSON.stringify({ [piece]: 1 })],
  ['as the only argument, ', (piece) => JSON.stringify(piece)],
  ['deep in arrays, ', (piece) => nested(100, JSON.stringify(piece), true)],
  ['deep in objects, ', (piece) => nested(100, JSON.stringify(piece), false)],
  ['among many, ', (piece) => JSON.stringify({ a: Array(200).fill('x'), b: [1, { c: piece }], d: 'y' })],
  ['after much, ', (piece) => JSON.stringify({ a: 'lorem ipsum '.repeat(300), b: piece })],
  ['escaped, ', (piece) => `{"a":"${escapedUnits(piece)}"}`],
  [
    'half escaped, ',
    (piece) =>
      `{"a":"${[...piece].map((it, at) => (at % 2 || JSON.stringify(it) !== `"${it}"` ? escapedUnits(it).toUpperCase().replaceAll('U', 'u') : it)).join('')}"}`,
  ],
];

/** Returns ways to cut the text into two or more strings. */
function parted(text: string): [string, string][] {
  const cuts = Array.from({ length: text.length - 1 }, (_, at) => at + 1);
  return [
    ...cuts.map((at): [string, string] => [
      `cut over two names at ${at}`,
      JSON.stringify({ a: text.slice(0, at), b: text.slice(at) }),
    ]),
    ...cuts.map((at): [string, string] => [
      `cut among others at ${at}`,
      JSON.stringify({ 0: 'x1', a: [text.slice(0, at), text.slice(at)], b: 'x2' }),
    ]),
    ['cut in the order of the caller', JSON.stringify({ z: text.slice(0, 5), a: text.slice(5) })],
    ['letter by letter', JSON.stringify([...text])],
    ['letter by letter in objects', JSON.stringify([...text].map((it) => ({ it })))],
    ['by twos', JSON.stringify({ parts: text.match(/.{1,2}/gs) })],
    ['in base64, by fours', JSON.stringify({ parts: base64(text).match(/.{1,4}/g) })],
  ];
}

export function disguisesOf(text: string): Disguise[] {
  const pieces = around.flatMap(([where, put]) =>
    whole(text).map(([how, piece]): [string, string] => [`${where}${how}`, put(piece)]),
  );
  return [...pieces, ...parted(text)].map(([name, written]) => ({ name, written }));
}

/** Returns ways to write an integer as a JSON number. */
export function numbersOf(digits: string): Disguise[] {
  const point = `${digits[0]}.${digits.slice(1)}`;
  const spelled = [
    digits,
    `-${digits}`,
    `${digits}.0`,
    `${digits}.000`,
    `${digits}e0`,
    `${digits}0e-1`,
    `${digits}000E-3`,
    `${point}e${digits.length - 1}`,
    `${point}E+${digits.length - 1}`,
    `0.${digits}e${digits.length}`,
    `0.000${digits}e+${digits.length + 3}`,
  ];
  return spelled.flatMap((number) => [
    { name: `as ${number}`, written: `{"a":${number}}` },
    { name: `as ${number} in arrays`, written: `{"a":[[1,[${number}],2]]}` },
    { name: `as ${number} in JSON`, written: JSON.stringify({ a: `{"b":${number}}` }) },
  ]);
}
