const LETTERS: Readonly<Record<string, string>> = {
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

/**
 * Matches a backslash with x and one or two hexadecimal digits, with one to three octal digits, or with any
 * character.
 */
const ESCAPE = /\\(?:x([0-9a-f]{1,2})|([0-7]{1,3})|([^]))/gi;

/**
 * Undoes the escapes of COPY text. Works on bytes, because several escaped bytes may form one character.
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

/** Returns the number of bytes at the end that belong to an incomplete UTF-8 character. */
export function incompleteTail(bytes: Buffer): number {
  const { length } = bytes;
  for (let back = 1; back <= Math.min(3, length); back += 1) {
    const byte = bytes[length - back] as number;
    // In UTF-8, 10xxxxxx continues a character, and 0xxxxxxx is a whole character.
    if (byte >= 0xc0) return back < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) ? back : 0;
    if (byte < 0x80) return 0;
  }
  return 0;
}
