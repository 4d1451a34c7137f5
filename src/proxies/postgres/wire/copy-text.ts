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
