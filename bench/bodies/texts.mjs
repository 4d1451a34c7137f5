// Generates texts that may be slow to read. Each text is built from pieces, which are repeated, nested, and
// put between other pieces.

/** Characters that readers of SQL, JSON, URIs and encodings treat specially. */
const PIECES = [
  [
    '+',
    '-',
    '*',
    '/',
    '<',
    '=',
    '@',
    '|',
    '?',
    '+-',
    '-+',
    '/*',
    '*/',
    '/**/',
    '/*/',
    '--',
    '--\n',
    '->>',
    '*-',
    '!-',
    '<-',
  ],
  [
    "'",
    "''",
    "''\n",
    "E'",
    "E'\\",
    "U&'",
    "U&''uescape",
    '"',
    '""',
    '$$',
    '$a$',
    '$',
    '\\',
    '\\\\',
    '\\u0041',
    '\\x41',
    '%41',
  ],
  [
    'a',
    'a.',
    'a,',
    'a.b,',
    '.a',
    '1',
    '1.',
    '1e',
    '1_',
    '0x',
    ';',
    ',',
    '(',
    ')',
    '()',
    '[',
    ']',
    '{',
    '}',
    '::a',
    '[1]',
    ':',
  ],
  [' ', '\n', '\t', '\u00a0', '\u200b', '\u0301', 'é', 'ﷺ', '\u{1F4A9}', '\uFF24', '\uFFFD', '\u0001'],
  [
    'not ',
    'select ',
    ' union select ',
    ' from a,',
    'select;',
    "do'';",
    'case when a then ',
    ' is null',
    'f(',
    '(select ',
  ],
  [
    '4111 ',
    '4111-',
    'a@',
    '@a.',
    'AKIA',
    'eyJ',
    'eyJhIjoi',
    '-----BEGIN ',
    'DE89',
    '+49 ',
    '123-45-',
    'QUFB',
    '"a":',
    '["a",',
  ],
].flat();

const BEFORE = ['', 'select 1', 'select ', "select '", 'select /*', 'select $$', 'insert into t values (1)'];
const AFTER = ['', '1', ' */', "'", '$$', ')'];
const FUNCTION = ['create function f() returns int language sql as $fn$', '$fn$'];

/** Returns a generator of pseudo-random numbers (mulberry32). The same seed gives the same numbers. */
export function randomNumbers(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const repeated = (unit, length) => unit.repeat(Math.max(1, Math.floor(length / unit.length)));

/**
 * Yields shapes of texts: each piece, repeated after each beginning, and then `count` random combinations.
 * `make` of a shape returns a text of about the given length.
 */
export function* textShapes(seed, count) {
  for (const piece of PIECES)
    for (const before of BEFORE)
      yield { name: `${before}${piece}…`, make: (length) => before + repeated(piece, length) };
  const random = randomNumbers(seed);
  const oneOf = (list) => list[Math.floor(random() * list.length)];
  for (let index = 0; index < count; index++) {
    const [before, after] = [oneOf(BEFORE), oneOf(AFTER)];
    const pieces = Array.from({ length: 1 + Math.floor(random() * 3) }, () => oneOf(PIECES));
    const separator = random() < 0.3 ? oneOf(PIECES) : '';
    const unit = pieces.join('') + separator;
    // Chooses variations at random: a run of the first piece before each unit, closing pieces as the second
    // half of the text, and a function around the text.
    const inner = random() < 0.3 ? 2 ** Math.floor(random() * 10) : 1;
    const closing = random() < 0.3 ? oneOf(PIECES) : undefined;
    const isBody = random() < 0.1;
    const make = (length) => {
      const open = inner === 1 ? unit : repeated(pieces[0], inner) + unit;
      const text =
        closing === undefined
          ? before + repeated(open, length) + after
          : before + repeated(open, length / 2) + repeated(closing, length / 2) + after;
      return isBody ? FUNCTION.join(text) : text;
    };
    yield { name: make(60 + inner).slice(0, 100), make };
  }
}

const LEAVES = [
  '"a"',
  String.raw`"\n"`,
  String.raw`"\u0041b"`,
  '1',
  '1e60',
  '"[1]"',
  '"YWJjZGVmZ2g="',
  '""',
  '"select 1"',
  '"+-"',
];

/** Yields shapes of JSON: each leaf in each structure. `make` returns a text of about the given length. */
export function* jsonShapes() {
  for (const leaf of LEAVES) {
    const two = leaf.length * 2;
    const ways = {
      list: (length) => `[${repeated(`${leaf},`, length)}0]`,
      lists: (length) => `[${repeated(`[${leaf},${leaf}],`, length)}0]`,
      objects: (length) => `[${repeated(`{"x":${leaf},"y":${leaf}},`, length)}0]`,
      nested: (length) => nested(`[${leaf},`, `,${leaf}]`, length / (two + 4)),
      'nested objects': (length) => nested(`{"x":${leaf},"y":`, '}', length / (leaf.length + 12)),
      deep: (length) => nested('[', ']', length / 2),
    };
    for (const [way, make] of Object.entries(ways)) yield { name: `${way} of ${leaf}`, make };
  }
}

const nested = (open, close, depth) => `${open.repeat(depth)}0${close.repeat(depth)}`;
