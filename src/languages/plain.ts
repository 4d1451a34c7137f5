import type { Language } from './language';
import { MappedText } from './text/mapped-text';
import { normalizePlain } from './text/plain-text';

/** Text in no particular language. */
export const plainText: Language = { name: 'text', isPlain };

/** `canonicalPlain` changes white space only. */
export function isPlain(text: string): boolean {
  return !/[^\t\n\r -~]/.test(text);
}

/**
 * The folding that applies to every text: invisible characters removed,
 * Unicode NFKC, each run of white space one space.
 */
export function canonicalPlain(source: string): MappedText {
  return normalizePlain(MappedText.unchanged(source));
}
