import type { Form, Intent } from './intent';
import type { SeededRandom } from './random';
import { rewrite, tokensOf } from './sql-tokens';

/** Another way to write a form. `apply` returns undefined if a form cannot be written in this way. */
export interface Transform {
  readonly name: string;
  apply(form: Form, intent: Intent, random: SeededRandom): Form | undefined;
}

type Rewrite = (sql: string, intent: Intent, random: SeededRandom) => string;

const spelled = (name: string, write: Rewrite): Transform => ({
  name,
  apply: (form, intent, random) => {
    const sql = write(form.sql, intent, random);
    return sql === form.sql ? undefined : { ...form, sql };
  },
});

const spaced = (name: string, space: string): Transform =>
  spelled(name, (sql) => rewrite(sql, 'space', () => space));

const letters = (
  name: string,
  write: (letter: string, index: number, random: SeededRandom) => string,
): Transform =>
  spelled(name, (sql, _, random) =>
    rewrite(sql, 'word', (word) => [...word].map((letter, i) => write(letter, i, random)).join('')),
  );

const named = (name: string, write: (word: string) => string): Transform =>
  spelled(name, (sql, intent) =>
    rewrite(sql, 'word', (word) => (intent.names.includes(word) ? write(word) : word)),
  );

const wide = (letter: string): string =>
  /[!-~]/.test(letter) ? String.fromCharCode(letter.charCodeAt(0) + 0xfee0) : letter;

const escaped = (mark: string) => (word: string) =>
  [...word].map((letter) => mark + letter.charCodeAt(0).toString(16).padStart(4, '0')).join('');

/** Removes spaces that SQL does not need. */
function tight(sql: string): string {
  const tokens = tokensOf(sql);
  const joins = (at: number) => ['word', 'string'].includes(tokens[at]?.kind ?? '');
  return tokens
    .map((token, i) => (token.kind === 'space' && !(joins(i - 1) && joins(i + 1)) ? '' : token.text))
    .join('');
}

const between = (name: string, mark: string): Transform =>
  spelled(name, (sql) => rewrite(sql, 'space', (space) => `${space}${mark} `));

const inWords = (name: string, mark: string): Transform =>
  spelled(name, (sql) =>
    rewrite(sql, 'word', (word) => (word.length > 2 ? word.slice(0, 2) + mark + word.slice(2) : word)),
  );

/** Transforms that keep the meaning and the words. The ones named `… with their schema` add a word. */
export const SPELLINGS: readonly Transform[] = [
  letters('lower case', (letter) => letter.toLowerCase()),
  letters('upper case', (letter) => letter.toUpperCase()),
  letters('mixed case', (letter, i) => (i % 2 === 0 ? letter.toLowerCase() : letter.toUpperCase())),
  letters('random case', (letter, _, random) =>
    random.below(2) === 0 ? letter.toLowerCase() : letter.toUpperCase(),
  ),
  spaced('two spaces', '  '),
  spaced('tabs', '\t'),
  spaced('new lines', '\n'),
  spaced('carriage returns', '\r'),
  spaced('CR LF', '\r\n'),
  spaced('form feeds', '\f'),
  spaced('vertical tabs', '\v'),
  spaced('many kinds of space', ' \t\n\f\v\r '),
  spaced('hundreds of spaces', ' '.repeat(300)),
  spaced('block comments', '/**/'),
  spaced('nested comments', '/* a /* b */ c */'),
  spaced('deeply nested comments', `${'/*'.repeat(20)} x ${'*/'.repeat(20)}`),
  spaced('line comments', '--\n'),
  spaced('line comments that end in CR', '-- x\r'),
  spaced('comments with quotes', `/* ' " $$ */`),
  spaced('line comments with quotes', `-- it's "here $x$\n`),
  spaced('comments with statements', `/* ; SELECT 1; -- */`),
  spaced('comments that look closed', `/* '*/`),
  spaced('slashes in comments', '/*/**/*/'),
  spelled('random space', (sql, _, random) =>
    rewrite(sql, 'space', () => random.pick(['\t', '/**/', '\n', '--;\n', ' /*\n*/ ', '\f'])),
  ),
  spelled('no needless space', tight),
  spelled('a comment in front', (sql) => `/* harmless report */ ${sql}`),
  spelled('a hint in front', (sql) => `/*+ SeqScan(x) */${sql}`),
  spelled('a line comment in front', (sql) => `-- SELECT 1;\n${sql}`),
  spelled('a line comment behind', (sql) => `${sql} -- done`),
  spelled('an open-looking string in a comment', (sql) => `SELECT 1 --'\n; ${sql} --'`),
  spelled('space around everything', (sql) => `\n\t ${sql}\n\n`),
  spelled('tight signs', (sql) => sql.replace(/ ?([(),;=]) ?/g, '$1')),
  named('quoted names', (word) => `"${word}"`),
  named('functions with their schema', (word) =>
    /^pg_|^lo_|^query_/.test(word) ? `pg_catalog.${word}` : word,
  ),
  named('quoted functions with their schema', (word) =>
    /^pg_ls|^pg_read_f|^lo_|^query_/.test(word) ? `"pg_catalog" . "${word}"` : `"${word}"`,
  ),
  named('tables with their schema', (word) =>
    /^(doomed|orders|accounts|secrets|promotions|notes|promote)$/.test(word)
      ? `public/**/./**/${word}`
      : word,
  ),
  named('quoted tables with their schema', (word) =>
    /^(doomed|orders|accounts|secrets|promotions|notes)$/.test(word) ? `public."${word}"` : word,
  ),
  named('escaped names', (word) => `U&"${escaped('\\')(word)}"`),
  named('names escaped in part', (word) => `u&"\\+0000${word.charCodeAt(0).toString(16)}${word.slice(1)}"`),
  named('names escaped otherwise', (word) => `U&"${escaped('!')(word)}" UESCAPE '!'`),
  named('names with a comment before UESCAPE', (word) => `U&"${escaped('#')(word)}"/**/uescape--\n'#'`),
  spelled('strings with escapes', (sql) =>
    rewrite(sql, 'string', (text) =>
      text.startsWith("'") && !text.includes('\\')
        ? `E'${[...text.slice(1, -1).replaceAll("''", "'")].map((c) => `\\x${c.charCodeAt(0).toString(16)}`).join('')}'`
        : text,
    ),
  ),
  spelled('strings with Unicode escapes', (sql) =>
    rewrite(sql, 'string', (text) =>
      text.startsWith("'") && !text.includes('\\')
        ? `U&'${escaped('\\')(text.slice(1, -1).replaceAll("''", "'"))}'`
        : text,
    ),
  ),
  spelled('strings in dollars', (sql) =>
    rewrite(sql, 'string', (text) =>
      text.startsWith("'") ? `$q9$${text.slice(1, -1).replaceAll("''", "'")}$q9$` : text,
    ),
  ),
  spelled('strings in two lines', (sql) =>
    rewrite(sql, 'string', (text) =>
      text.startsWith("'") && text.length > 4 && !text.includes("''")
        ? `${text.slice(0, 3)}'\n'${text.slice(3)}`
        : text,
    ),
  ),
];

/**
 * Transforms after which PostgreSQL refuses most texts, or reads other words. Only texts that still have the
 * effect count.
 */
export const DISGUISES: readonly Transform[] = [
  spaced('no-break spaces', '\u00a0'),
  spaced('ideographic spaces', '\u3000'),
  spaced('line separators', '\u2028'),
  spaced('next lines', '\u0085'),
  spaced('zero-width spaces', '\u200b'),
  between('no-break spaces besides', '\u00a0'),
  between('zero-width spaces besides', '\u200b'),
  between('byte order marks besides', '\ufeff'),
  between('backspaces besides', '\b'),
  inWords('zero-width spaces in words', '\u200b'),
  inWords('zero-width joiners in words', '\u200d'),
  inWords('soft hyphens in words', '\u00ad'),
  inWords('direction marks in words', '\u202e'),
  inWords('NUL in words', '\0'),
  inWords('comments in words', '/**/'),
  letters('full-width letters', wide),
  letters('one full-width letter', (letter, i) => (i === 0 ? wide(letter) : letter)),
  letters('letters with accents', (letter, i) => (i === 1 ? `${letter}\u0301` : letter)),
  letters('Cyrillic letters', (letter) => letter.replace(/[aeoA]/, (a) => (a === 'a' ? '\u0430' : '\u0435'))),
  letters('long s and Kelvin', (letter) => letter.replace(/[sS]/, '\u017f').replace(/[kK]/, '\u212a')),
  letters('dotted capital I', (letter) => letter.replace(/[iI]/, '\u0130')),
  letters('letters as backslash escapes', (letter) => `\\x${letter.charCodeAt(0).toString(16)}`),
  letters('percent-encoded', (letter) => `%${letter.charCodeAt(0).toString(16)}`),
  spelled('a byte order mark in front', (sql) => `\ufeff${sql}`),
  spelled('a no-break space in front', (sql) => `\u00a0${sql}`),
  spelled('NUL in front', (sql) => `\0${sql}`),
  spelled('NUL behind', (sql) => `${sql}\0`),
  spelled('NUL before the act', (sql) => `SELECT 1;\0${sql}`),
  spelled('end of file before the act', (sql) => `SELECT 1;\u001a${sql}`),
  spelled('half a surrogate pair behind', (sql) => `${sql} --\ud800`),
  spelled('a MySQL comment', (sql) => `/*!50000 ${sql} */`),
  spelled('an open comment', (sql) => `${sql} /*`),
  spelled('a closed comment', (sql) => `*/ ${sql}`),
  spelled('GO batches', (sql) => `SELECT 1\nGO\n${sql}\nGO`),
  spelled('psql commands', (sql) => `\\set x 1\n${sql} \\g`),
];
