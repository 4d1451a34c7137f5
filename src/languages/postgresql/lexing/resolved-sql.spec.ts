import * as fc from '../../../../test/support/fast-check';
import { canonicalPlain } from '../../plain';
import { SqlLexer } from './lexer';
import { decodeBody } from './literal-body';
import { deepestLevel, resolvable, resolveSql } from './resolved-sql';
import { volume } from '../../../../test/support/volume';

interface Resolved {
  readonly text: string;
  readonly semicolons: readonly number[];
}

/** Reference implementation: applies the rules of resolved SQL to every token, without shortcuts. */
function naive(source: string, level = 0): Resolved {
  let text = '';
  let before = 'other';
  const semicolons: number[] = [];
  const lexer = new SqlLexer(source);
  while (lexer.next()) {
    const { kind, start, end, closed } = lexer;
    const written = source.slice(start, end);
    const value = () => decodeBody(source, lexer.body).text;
    const isWord = (kind === 'name' || kind === 'number' || kind === 'parameter') && written[0] !== '.';
    if (isWord && before === 'quoted name') text += ' ';
    if (kind === 'quoted name') text += before === 'other' ? value() : ` ${value()}`;
    else if (kind === 'string') {
      text += `'${level > deepestLevel ? value() : naive(value(), level + 1).text}${closed ? "'" : ''}`;
    } else text += kind === 'comment' ? ' ' : written;
    if (kind === 'semicolon') semicolons.push(start);
    before = isWord || kind === 'number' ? 'word' : kind;
    if (kind !== 'quoted name' && before !== 'word') before = 'other';
  }
  return { text, semicolons };
}

const fragments = fc.constantFrom(
  ...`' '' " "" E' n' b' U&' U&" $ $$ $a$ $1 a e u& é _ \\ 1 1. .5 1e 1e+ 1.0b1e 0x 0xe . ; + & - -- / * /* */ (`.split(
    ' ',
  ),
  ...`'x' "y" /*c*/ uescape '!' , select`.split(' '),
  '--c\n',
  ' ',
  '  ',
  '\n',
  '\t',
  '\r',
  '\u00a0',
  '\0',
);
const mixes = fc.array(fragments, { maxLength: 14 }).map((parts) => parts.join(''));

describe('resolveSql', () => {
  it('says the same as reading every token', () => {
    fc.assert(
      fc.property(mixes, (source) => {
        const { text, semicolons } = resolveSql(source);
        const expected = naive(source);
        expect(canonicalPlain(text.text).text).toBe(canonicalPlain(expected.text).text);
        expect(semicolons).toEqual(expected.semicolons);
      }),
      { numRuns: volume(5_000, 20_000) },
    );
  });

  it('only folds white space where nothing is to be resolved', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[ -~\n]{0,40}$/), (source) => {
        if (resolvable.test(source)) return;
        expect(resolveSql(source).text.text).toBe(source.replaceAll(/[ \n]+/g, ' '));
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    ["select 1.0b1e'a\\'", "select 1.0b1e'a\\'"],
    ["select 1.5E'a\\'b'", "select 1.5'a'b'"],
    ['t1."a"', 't1.a'],
    ['1."a"', '1. a'],
    ['1e+5"a"', '1e+5 a'],
    ['x=-"a"', 'x=-a'],
    ['a$b"c"', 'a$b c'],
    ['"a"$1', 'a $1'],
    ['"a".5', 'a.5'],
    ['a /* b */ c', 'a c'],
    ['a - b / c', 'a - b / c'],
  ])('turns %j into %j', (source, resolved) => {
    expect(resolveSql(source).text.text).toBe(resolved);
  });
});
