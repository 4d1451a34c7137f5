import type { Language } from './language';
import { MappedText } from './text/mapped-text';
import { normalizePlain } from './text/plain-text';

/** Text in no particular language. */
export const plainText: Language = { name: 'text', isPlain };

/** Whether `canonicalPlain` would change only white space. */
export function isPlain(text: string): boolean {
  return !/[^\t\n\r -~]/.test(text);
}

/**
 * Applies the folding for every text: removes invisible characters, converts to Unicode NFKC, and replaces
 * each run of white space by one space.
 */
export function canonicalPlain(source: string): MappedText {
  return normalizePlain(MappedText.unchanged(source));
}
