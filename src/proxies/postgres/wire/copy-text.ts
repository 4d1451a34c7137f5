const LETTERS: Readonly<Record<string, string>> = {
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

/** Backslash and: one or two hexadecimal digits after x, up to three octal ones, or any character. */
const ESCAPE = /\\(?:x([0-9a-f]{1,2})|([0-7]{1,3})|([^]))/gi;

/**
 * The text as COPY reads it, escapes undone; a byte that is written as a number may be one of several that are a character.
 * Source: PostgreSQL documentation, COPY, "Text Format".
 */
export function copyUnescaped(text: string): string {
  const bytes = Buffer.from(text)
    .toString('latin1')
    .replaceAll(ESCAPE, (_, hex?: string, octal?: string, letter = '') => {
      if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16));
      if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8) & 0xff);
      return LETTERS[letter] ?? letter;
    });
  return Buffer.from(bytes, 'latin1').toString();
}

/** How many bytes at the end are the beginning of a character in UTF-8 whose rest is missing. */
export function incompleteTail(bytes: Buffer): number {
  const { length } = bytes;
  for (let back = 1; back <= Math.min(3, length); back += 1) {
    const byte = bytes[length - back] as number;
    // 10xxxxxx goes on with a character, 0xxxxxxx is one.
    if (byte >= 0xc0) return back < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) ? back : 0;
    if (byte < 0x80) return 0;
  }
  return 0;
}
