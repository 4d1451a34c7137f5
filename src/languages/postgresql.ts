import type { Language } from './language';
import { isPlain } from './plain';
import { canonicalSql } from './postgresql/lexing/canonical-text';
import { fitsInline } from './postgresql/parsing/parse-cost';
import { loadSqlParser, parseSql } from './postgresql/parser';
import { scriptHint } from './postgresql/lexing/script-hint';

/** PostgreSQL's SQL, with the grammar of PostgreSQL 18. */
export const postgresql: Language = {
  name: 'postgresql',
  load: loadSqlParser,
  isPlain: isPlainSql,
  canonical: canonicalSql,
  hint: scriptHint,
  wordForms,
  facts: 'sql',
  parse: parseSql,
  fitsInline: (text) => fitsInline(text),
};

/**
 * Returns the canonical form of a word that contains quoted names. Returns nothing for a word with other
 * quotes or comments, because it can mean anything.
 */
function wordForms(word: string): string[] {
  return word.includes('"') && !/['$]|--|\/\*/.test(word) ? [canonicalSql(word).whole.text] : [];
}

/**
 * Whether the canonical text differs from `text` only in white space, comments and quotes: it contains no
 * escapes, no quotes in quotes, and no strings continued after a line break. Then each run of letters and
 * digits is the same in both.
 */
function isPlainSql(text: string): boolean {
  return (
    isPlain(text) && !text.includes('\\') && !/""|'\s*(?:'|--|\/\*)/.test(text) && !/uescape/i.test(text)
  );
}
