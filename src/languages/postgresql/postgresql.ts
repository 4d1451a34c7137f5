import type { Language } from '../language';
import { isPlain } from '../text/plain';
import { canonicalSql } from './canonical-text';
import { loadSqlParser, parseSql } from './parser';

/** PostgreSQL's SQL, with the grammar of PostgreSQL 18. */
export const postgresql: Language = {
  name: 'postgresql',
  load: loadSqlParser,
  isPlain: isPlainSql,
  canonical: canonicalSql,
  wordForms,
  parse: parseSql,
};

/** A word with quotes of names; what else has marks may be anything but a word. */
function wordForms(word: string): string[] {
  return word.includes('"') && !/['$]|--|\/\*/.test(word) ? [canonicalSql(word).whole.text] : [];
}

/**
 * Canonical text differs from this in its white space, comments and quotes only: no escapes, no quotes in quotes, no
 * strings that go on after a line break. Each run of letters and digits of the one is whole in the other.
 */
function isPlainSql(text: string): boolean {
  return (
    isPlain(text) && !text.includes('\\') && !/""|'\s*(?:'|--|\/\*)/.test(text) && !/uescape/i.test(text)
  );
}
