import * as fc from '../../test/support/fast-check';
import { RE2JS } from 're2js';
import { hereInstead, pattern, words } from '../../test/support/rule-entries';
import { volume } from '../../test/support/volume';
import { canonicalSql } from '../languages/postgresql/lexing/canonical-text';
import { canonicalPlain } from '../languages/plain';
import { GuardrailEngine } from './engine/guardrail-engine';
import { fold } from './matching/folding';
import type { RuleEntry } from './entries/rule-entry';
import { postgresql } from '../languages/postgresql';
import { plainText } from '../languages/plain';

function engineOf(entries: RuleEntry[], isSql: boolean): GuardrailEngine {
  const rule = { id: '1', name: 'r', input: { rules: entries }, output: { rules: [] } };
  return new GuardrailEngine([rule], isSql ? postgresql : plainText, hereInstead);
}

describe('the engine, against a naive matcher', () => {
  const alphabet = [
    'a',
    'b',
    'A',
    'ä',
    'Ä',
    ' ',
    '\t',
    ';',
    "'",
    '"',
    '-',
    '/*',
    '*/',
    '--',
    '\n',
    '$$',
    'ａ',
    '\u200b',
    '🂡',
    '.',
    "''",
    '""',
    "E'",
    'U&"',
    '\\0061',
    '\\x62',
    " uescape '!'",
    '!0061',
    '\x01',
  ];
  const text = fc.array(fc.constantFrom(...alphabet), { maxLength: 24 }).map((parts) => parts.join(''));
  const word = fc
    .array(fc.constantFrom(...alphabet), { minLength: 1, maxLength: 3 })
    .map((parts) => parts.join(''))
    .filter((one) => one !== '');
  const regex = fc.constantFrom(
    'ab', '^a', 'b$', '(?i)ä+', 'a.b', '[ab]{2,3};', '\\bb\\b', 'a|b b', '(?m)^b', '\\s{2}', '\\.\\.', 'x', "'a'", '^.a$',
  ); // prettier-ignore
  const entry = fc.oneof(
    fc
      .tuple(fc.array(word, { minLength: 1, maxLength: 3 }), fc.boolean(), fc.boolean())
      .map(([list, cased, whole]) => words(list, { case_sensitive: cased, whole_word: whole })),
    regex.map(pattern),
  );

  it('comes to the same decisions over very many pairs of rules and texts', async () => {
    const several = fc.array(entry, { minLength: 1, maxLength: 4 });
    const texts = fc.array(text, { minLength: 100, maxLength: 100 });
    let hits = 0;
    await fc.assert(
      fc.asyncProperty(several, texts, async (entries, given) => {
        for (const isSql of [true, false]) {
          const engine = engineOf(entries, isSql);
          for (const one of given.slice(isSql ? 0 : 50, isSql ? 50 : 100)) {
            const verdict = await engine.judge(one);
            const decision = verdict.kind === 'block' ? verdict.hit.index : undefined;
            expect({ entries, one, isSql, decision }).toEqual({
              entries,
              one,
              isSql,
              decision: naive(entries, one, isSql),
            });
            hits += decision === undefined ? 0 : 1;
          }
        }
      }),
      { numRuns: volume(300, 1_000) },
    );
    expect(hits).toBeGreaterThan(fc.runs(volume(4_500, 15_000)));
    expect(hits).toBeLessThan(fc.runs(volume(27_000, 90_000)));
  }, 480_000);

  it('finds every word that stands in the canonical text of a statement', async () => {
    const token = fc.constantFrom(
      'drop', 'table', '"users"', 'users', 'public', '.', '(', ')', ' ', '\n', '/*c*/', '--x\n', "'str'", '$$body$$', '$a$x y$a$',
      "E'abc'", 'U&"nm"', "N'q'", "X'41'", '"a b"', '=', '1', '1.5', ';', '::', '$1', '"x""y"', "U&'z'", '_f', '"A"', ',', '*', 'e', 'n',
    ); // prettier-ignore
    const tokens = fc.array(token, { minLength: 3, maxLength: 11 });
    let tried = 0;
    await fc.assert(
      fc.asyncProperty(tokens, fc.nat(), fc.nat(), async (drawn, from, length) => {
        const one = drawn.join('');
        const { whole } = canonicalSql(one);
        const start = from % Math.max(1, whole.text.length);
        const word = whole.text.slice(start, start + 2 + (length % 9));
        // Skips words with quotes, because quotes in a word are literal.
        if (word.trim() !== word || word === '' || /['"]/.test(word)) return;
        tried += 1;
        const verdict = await engineOf([words([word])], true).judge(one);
        expect([one, word, whole.text, verdict.kind]).toEqual([one, word, whole.text, 'block']);
      }),
      { numRuns: volume(6_000, 20_000) },
    );
    expect(tried).toBeGreaterThan(fc.runs(volume(1_500, 5_000)));
  }, 240_000);
});

/** Reference implementation: searches every view of the text for each entry. Returns the first hit. */
function naive(entries: readonly RuleEntry[], text: string, isSql: boolean): number | undefined {
  const { whole, statements } = isSql ? canonicalSql(text) : { whole: canonicalPlain(text), statements: [] };
  const pieces = statements.flatMap((one) => [
    text.slice(one.start, one.end),
    whole.text.slice(one.canonicalStart, one.canonicalEnd),
  ]);
  const firstIn = (views: readonly string[], tried: readonly RuleEntry[]) =>
    entries.findIndex((one) => tried.includes(one) && views.some((view) => matches(one, view)));
  const patterns = entries.filter((one) => one.type === 'pattern_match');
  const lists = entries.filter((one) => one.type === 'deny_words_list');
  const stages = [
    firstIn([text, whole.text], entries),
    firstIn([canonicalPlain(text).text], isSql ? lists : entries),
    firstIn(pieces, patterns),
  ];
  const hits = stages.filter((index) => index >= 0);
  return hits.length === 0 ? undefined : Math.min(...hits);
}

const compiled = new Map<string, RE2JS>();

function matches(entry: RuleEntry, view: string): boolean {
  if (entry.type === 'pattern_match') {
    const regex = compiled.get(entry.pattern_regex) ?? RE2JS.compile(entry.pattern_regex);
    compiled.set(entry.pattern_regex, regex);
    return regex.matcher(view).find();
  }
  return entry.words.some((word) => {
    const forms = [word, canonicalPlain(word).text];
    if (/"/.test(word) && !/['$]|--|\/\*/.test(word)) forms.push(canonicalSql(word).whole.text);
    return forms
      .filter((form) => form === word || form.trim() !== '')
      .some((form) => hasWord(entry, view, form));
  });
}

function hasWord(entry: RuleEntry, view: string, word: string): boolean {
  for (let at = 0; at + word.length <= view.length; at++) {
    const piece = view.slice(at, at + word.length);
    const isSame = entry.case_sensitive === true ? piece === word : fold(piece) === fold(word);
    if (isSame && (entry.whole_word !== true || isWholeAt(view, at, word.length))) return true;
  }
  return false;
}

function isWholeAt(view: string, at: number, length: number): boolean {
  const letter = /^[\p{L}\p{N}\p{M}_]$/u;
  const before = view.slice(0, at).at(-1) ?? '';
  const after = view.slice(at + length)[0] ?? '';
  const piece = view.slice(at, at + length);
  const glued = (a: string, b: string) => letter.test(a) && letter.test(b);
  return !glued(before, piece[0] ?? '') && !glued(piece.at(-1) ?? '', after);
}
