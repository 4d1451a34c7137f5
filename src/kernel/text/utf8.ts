import { isAscii } from 'node:buffer';

/** The bytes as text; invalid UTF-8 becomes U+FFFD. */
export function textOf(bytes: Buffer): string {
  return bytes.toString(isAscii(bytes) ? 'latin1' : 'utf8');
}

/** Length of the decoded text in UTF-16 code units. */
export function unitsOf(bytes: Buffer): number {
  return isAscii(bytes) ? bytes.length : bytes.toString('utf8').length;
}
