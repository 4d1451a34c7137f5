import type { Language } from './language';
import { isPlain } from './plain';
import { canonicalShell } from './shell/canonical/canonical-text';
import { parseShell } from './shell/parser';

/** Maximum length of a script that is read on the event loop, in UTF-16 code units. */
const INLINE_LENGTH = 4 * 1024;

/** Scripts and commands of POSIX shells, as Bash and dash read them. */
export const shell: Language = {
  name: 'shell',
  isPlain: isPlainShell,
  canonical: canonicalShell,
  facts: 'shell',
  parse: parseShell,
  fitsInline: (text) => text.length <= INLINE_LENGTH,
};

/**
 * Whether each run of letters and digits is the same in the canonical text: nothing joins two of them, and
 * nothing in them is escaped.
 */
function isPlainShell(text: string): boolean {
  return isPlain(text) && !/[\\`]|\$["']|IFS|\w['"]+\w/.test(text);
}
