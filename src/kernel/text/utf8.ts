import { isAscii } from 'node:buffer';

/** The bytes as text; invalid UTF-8 becomes U+FFFD. */
export function textOf(bytes: Buffer): string {
  return bytes.toString(isAscii(bytes) ? 'latin1' : 'utf8');
}

/** Length of the decoded text in UTF-16 code units. */
export function unitsOf(bytes: Buffer): number {
  return isAscii(bytes) ? bytes.length : bytes.toString('utf8').length;
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
