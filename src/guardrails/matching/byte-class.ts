/** A set of ASCII characters (0 to 127) that are allowed at one position of a sequence. */
export type ByteClass = ReadonlySet<number>;

/**
 * Parses the inside of an ASCII character class, such as `a-z_`. It may contain ranges, but no escapes. A
 * dash that is a character must come first.
 */
export function byteClass(written: string): ByteClass {
  const set = new Set<number>();
  for (let at = 0; at < written.length; at++) {
    const first = written.charCodeAt(at);
    const isRange = at + 2 < written.length && written[at + 1] === '-';
    const last = isRange ? written.charCodeAt(at + 2) : first;
    for (let byte = first; byte <= last; byte++) set.add(byte);
    if (isRange) at += 2;
  }
  return set;
}

/** Returns a class for each character of an ASCII text, with its lower case and its upper case. */
export function anyCase(text: string): ByteClass[] {
  return Array.from(text, (letter) => byteClass(letter.toLowerCase() + letter.toUpperCase()));
}

/** Source of a regular expression for the class. */
export function sourceOf(allowed: ByteClass): string {
  const codes = Array.from(allowed, (byte) => `\\x${byte.toString(16).padStart(2, '0')}`);
  return `[${codes.join('')}]`;
}

const OFTEN = new Map(
  Object.entries({ ' ': 0.15, '\t': 0.05, '\n': 0.02, '.': 0.03, '-': 0.03, ':': 0.02, ',': 0.02 }).map(
    ([sign, share]) => [sign.charCodeAt(0), share],
  ),
);
const LETTERS = 'etaoinsrhldcumfpgwybvkxjqz';

/** Estimated fraction of the characters in common text that are in the class; 0 to 1. */
export function shareOf(allowed: ByteClass): number {
  let share = 0;
  for (const byte of allowed) share += shareOfByte(byte);
  return Math.min(1, share);
}

export function shareOfByte(byte: number): number {
  if (byte >= 48 && byte <= 57) return 0.02;
  const letter = String.fromCharCode(byte | 0x20);
  const rank = (byte & 0x40) === 0 ? -1 : LETTERS.indexOf(letter);
  if (rank >= 0) return (byte & 0x20) === 0 ? 0.005 : 0.08 / (1 + rank / 3);
  return OFTEN.get(byte) ?? 0.005;
}
