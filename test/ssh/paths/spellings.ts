import { posix } from 'node:path';

/** A way to write a path. */
export interface Spelling {
  readonly name: string;
  /**
   * Writes the path of something in the folder `secret` of the world.
   * @param world absolute path of the world, in which the server begins
   * @param rest path from the world, such as `secret/key.txt`
   */
  readonly write: (world: string, rest: string) => Buffer;
  /** Whether it goes through a symbolic link, so that rules cannot see where it leads. */
  readonly isLink?: boolean;
}

type Write = (world: string, rest: string) => string | Buffer;

const spelling = (name: string, write: Write, more: { isLink?: boolean } = {}): Spelling => ({
  name,
  write: (world, rest) => Buffer.from(write(world, rest) as string),
  ...more,
});

/** Joins with another text in place of each slash within the path. */
const joined = (separator: string): Write => {
  return (world, rest) => `/${[...world.slice(1).split('/'), ...rest.split('/')].join(separator)}`;
};
const before = (part: string): Write => {
  return (world, rest) => `${world}/${part}/${rest}`;
};
const bytes = (...parts: readonly (string | readonly number[])[]): Buffer =>
  Buffer.concat(parts.map((part) => Buffer.from(part as string)));

/** Names of folders in `open` that the attacker made, to leave them by `..`. */
export const ODD_FOLDERS: Readonly<Record<string, Buffer>> = {
  'invalid UTF-8': Buffer.from([0xff, 0xfe]),
  'a cut character': Buffer.from([0xe2, 0x82]),
  'an overlong slash': Buffer.from([0xc0, 0xaf]),
  'a surrogate': Buffer.from([0xed, 0xa0, 0x80]),
  'a newline': Buffer.from('a\nb'),
  'a return': Buffer.from('a\rb'),
  'a space': Buffer.from('a b'),
  'a zero-width space': Buffer.from('\u200b'),
  'a bidi mark': Buffer.from('\u202e'),
  'full-width dots': Buffer.from('\uff0e\uff0e'),
  'one-dot leaders': Buffer.from('\u2024\u2024'),
  'three dots': Buffer.from('...'),
  'an escape': Buffer.from('\u001b[2J'),
  'a backslash': Buffer.from('\\..'),
  'a percent': Buffer.from('%2e%2e'),
  'a long name': Buffer.alloc(255, 'x'),
  'a tilde': Buffer.from('~'),
  'a word of an operation': Buffer.from('open read'),
};

const SEPARATED = ['//', '///', '/./', '/.//./', '/./././././'].map((separator) =>
  spelling(`${separator} between`, joined(separator)),
);

const LEFT = ['open/..', 'open/sub/../..', 'secret/..', 'secret/../open/..', './open/.././secret/..'].map(
  (part) => spelling(`by ${part}`, before(part)),
);

const LEFT_ODD = Object.entries(ODD_FOLDERS).map(([name, folder]): Spelling => ({
  name: `by a folder with ${name}`,
  write: (world, rest) => bytes(`${world}/open/`, [...folder], `/../../${rest}`),
}));

const ENDED = ['/', '//', '/.', '/./', '/././/.'].map((end) =>
  spelling(`with ${end} at its end`, (world, rest) => `${world}/${rest}${end}`),
);

const BEGUN: readonly Spelling[] = [
  spelling('as it is', (world, rest) => `${world}/${rest}`),
  spelling('two slashes first', (world, rest) => `/${world}/${rest}`),
  spelling('above the root', (world, rest) => `/../../..${world}/${rest}`),
  spelling('a dot first', (world, rest) => `/.${world}/${rest}`),
  spelling('relative', (_, rest) => rest),
  spelling('relative with a dot', (_, rest) => `./${rest}`),
  spelling('relative by a folder', (_, rest) => `open/../${rest}`),
  spelling('relative to above', (world, rest) => `../${posix.basename(world)}/${rest}`),
  spelling('relative to the root', (world, rest) => `${'../'.repeat(40)}${world.slice(1)}/${rest}`),
];

const LONG: readonly Spelling[] = [
  spelling('as long as a path may be', (world, rest) => {
    const whole = `${world}/${rest}`;
    return `${'/.'.repeat(Math.floor((4_094 - whole.length) / 2))}${whole}`;
  }),
  spelling('longer than a path may be', (world, rest) => `${'/.'.repeat(2_100)}${world}/${rest}`),
  spelling('with many folders', (world, rest) => `${world}/${'open/../'.repeat(400)}${rest}`),
  spelling('with a name that is too long', (world, rest) => `${world}/${'x'.repeat(300)}/../${rest}`),
  spelling('of 100 000 characters', (world, rest) => `${world}${'/.'.repeat(50_000)}/${rest}`),
];

/** Paths that another system or program would decode, and a server does not. */
const ENCODED: readonly Spelling[] = [
  spelling('percent', (world, rest) => `${world}/open/%2e%2e/${rest}`),
  spelling('percent twice', (world, rest) => `${world}/open/%252e%252e%252f${rest}`),
  spelling('percent slashes', (world, rest) => `${world}%2f${rest.replaceAll('/', '%2f')}`),
  spelling('backslashes', (world, rest) => `${world}\\${rest.replaceAll('/', '\\')}`),
  spelling('backslash to above', (world, rest) => `${world}/open\\..\\${rest}`),
  spelling('a URL', (world, rest) => `file://${world}/${rest}`),
  spelling('a variable', (_, rest) => `$PWD/${rest}`),
  spelling('a tilde', (_, rest) => `~/${rest}`),
  spelling('a pattern', (world, rest) => `${world}/${rest.replaceAll('e', '?')}`),
  spelling('quotes', (world, rest) => `"${world}/${rest}"`),
  spelling('capital letters', (world, rest) => `${world}/${rest.toUpperCase()}`),
  spelling('full-width slashes', (world, rest) => `${world}\uff0f${rest.replaceAll('/', '\uff0f')}`),
  spelling(
    'full-width letters',
    (world, rest) =>
      `${world}/${rest.replaceAll(/[a-z]/g, (c) => String.fromCharCode(c.charCodeAt(0) + 0xfee0))}`,
  ),
  spelling('a mark of byte order', (world, rest) => `\ufeff${world}/${rest}`),
  spelling('a dot after it', (world, rest) => `${world}/${rest}.`),
  spelling('dots after it', (world, rest) => `${world}/${rest}...`),
  spelling('a space after it', (world, rest) => `${world}/${rest} `),
  spelling('a newline after it', (world, rest) => `${world}/${rest}\n`),
  spelling('a stream of NTFS', (world, rest) => `${world}/${rest}::$DATA`),
  spelling('a null character after it', (world, rest) => `${world}/${rest}\0.png`),
  spelling('a null character before it', (world, rest) => `${world}/open\0/../${rest}`),
  {
    name: 'overlong slashes',
    write: (world, rest) => bytes(world, [0xc0, 0xaf], rest),
  },
  {
    name: 'overlong dots',
    write: (world, rest) => bytes(`${world}/open/`, [0xc0, 0xae, 0xc0, 0xae], `/${rest}`),
  },
  { name: 'an invalid byte after it', write: (world, rest) => bytes(`${world}/${rest}`, [0xff]) },
  { name: 'UTF-16', write: (world, rest) => Buffer.from(`${world}/${rest}`, 'utf16le') },
];

/** Ways through symbolic links. The server follows them, and the gateway sees names alone. */
const LINKED: readonly Spelling[] = [
  spelling('by a link to the folder', (world, rest) => `${world}/open/to-${rest}`, { isLink: true }),
  spelling('by a link to a folder below it', (world, rest) => `${world}/open/to-sub/../../${rest}`, {
    isLink: true,
  }),
  spelling('by a relative link', (_, rest) => `open/to-${rest}`, { isLink: true }),
  spelling('by the folder of the process', (_, rest) => `/proc/self/cwd/${rest}`, { isLink: true }),
  spelling('by the root of the process', (world, rest) => `/proc/self/root${world}/${rest}`, {
    isLink: true,
  }),
];

export const SPELLINGS: readonly Spelling[] = [
  ...BEGUN,
  ...SEPARATED,
  ...LEFT,
  ...LEFT_ODD,
  ...ENDED,
  ...LONG,
  ...ENCODED,
  ...LINKED,
];
