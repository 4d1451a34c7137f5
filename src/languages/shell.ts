import { fileOperation } from './file-operation';
import type { Language } from './language';
import { isPlain } from './plain';
import { canonicalShell } from './shell/canonical/canonical-text';
import { parseShell } from './shell/parser';

/** Maximum length of a script that is read on the event loop, in UTF-16 code units. */
const INLINE_LENGTH = 1024;
/** Braces become many words, and brackets are searched for their ends: their cost is not linear. */
const COSTLY = /[{[]/;

/** Scripts and commands of POSIX shells, as Bash and dash read them. */
export const shell: Language = {
  name: 'shell',
  isPlain: isPlainShell,
  canonical: canonicalShell,
  facts: 'shell',
  alongside: fileOperation,
  parse: parseShell,
  fitsInline: (text) => text.length <= INLINE_LENGTH && !COSTLY.test(text),
};

/**
 * Whether each run of letters and digits is the same in the canonical text: nothing joins two of them, and
 * nothing in them is escaped.
 */
function isPlainShell(text: string): boolean {
  return isPlain(text) && !/[\\`]|\$["']|IFS|\w['"]+\w/.test(text);
}
