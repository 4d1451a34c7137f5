import * as fc from '../../../../test/support/fast-check';
import { volume } from '../../../../test/support/volume';
import { canonicalSql } from './canonical-text';
import { canonicalPlain } from '../../plain';
import { deepestLevel } from './resolved-sql';

const text = (source: string) => canonicalSql(source).whole.text;

describe('canonicalSql', () => {
  it.each([
    ['drop table x', 'drop table x'],
    ['DROP/**/TABLE x', 'DROP TABLE x'],
    ['drop/*a/*b*/c*/table', 'drop table'],
    ['drop--x\ntable--y\rz', 'drop table z'],
    ['drop \t\r\n\v\f table', 'drop table'],
    [' drop  table ', 'drop table'],
    ['drop /* open', 'drop'],
    ['drop table "users"', 'drop table users'],
    ['drop table"users"cascade', 'drop table users cascade'],
    ['select 1from"a"1 2"b"$1"c"', 'select 1from a 1 2 b $1 c'],
    ['"a"."b".c', 'a.b.c'],
    ['"a""b"', 'a"b'],
    ['U&"\\0064rop" table', 'drop table'],
    ['U&"!0064rop"/**/uescape\'!\'table', 'drop table'],
    ['U&"\\+000064r\\\\op"', 'dr\\op'],
    ["select U&'\\D83D\\DE00'", "select '😀'"],
    ["E'dr\\x6fp\\040t\\u0061b\\U0000006ce'", "'drop table'"],
    ["E'\\xc3'\n'\\xa9'", "'é'"],
    ["'dr'\n'op'", "'drop'"],
    ["N'a' b'1' X'1F'", "'a' '1' '1F'"],
    ["'it''s'", "'it's'"],
    ['do $$ begin drop/**/table x; end $$', "do ' begin drop table x; end '"],
    ["do 'begin drop/**/table x; end'", "do 'begin drop table x; end'"],
    ["do $a$ execute $b$ execute 'drop/**/table x' $b$ $a$", "do ' execute ' execute 'drop table x' ' '"],
    ["do 'execute ''drop/*''''*/table y'''", "do 'execute 'drop table y''"],
    ["do E'drop\\x2f**/table'", "do 'drop table'"],
    ['ｄｒｏｐ\u3000ｔａｂｌｅ', 'drop table'],
    ['dr\u200bop \ufefftable\0', 'drop table'],
    ["'a' -- it's\n'b", "'ab"],
    ['$1 a$b$c $x', '$1 a$b$c $x'],
    ['', ''],
    ['/**/ -- x', ''],
  ])('turns %j into %j', (source, canonical) => {
    expect(text(source)).toBe(canonical);
  });

  it('maps what a rule finds to the whole of what was written', () => {
    const source = 'select 1; drop/*x*/table U&"\\0071z" ; do E\'x\\x79z\'';
    const { whole } = canonicalSql(source);
    const written = (words: string) => {
      const at = whole.text.indexOf(words);
      expect(at).toBeGreaterThanOrEqual(0);
      const { start, end } = whole.sourceRange(at, at + words.length);
      return source.slice(start, end);
    };
    expect(written('drop table')).toBe('drop/*x*/table');
    expect(written('qz')).toBe('\\0071z');
    expect(written('table qz')).toBe('table U&"\\0071z');
    expect(written('y')).toBe('\\x79');
    expect(written("'xyz'")).toBe("E'x\\x79z'");
  });

  it('divides at semicolons outside strings and comments, and leaves out what is empty', () => {
    const source = ` ;/* ; */; select ';' ;\n"a;b"; do $$ x; $$;\u00a0 -- y\n; last；one `;
    const { whole, statements } = canonicalSql(source);
    expect(statements.map(({ start, end }) => source.slice(start, end))).toEqual([
      "select ';'",
      '"a;b"',
      'do $$ x; $$',
      'last；one',
    ]);
    expect(statements.map((one) => whole.text.slice(one.canonicalStart, one.canonicalEnd))).toEqual([
      "select ';'",
      'a;b',
      "do ' x; '",
      'last;one',
    ]);
    expect(whole.text).toBe("; ; select ';' ; a;b; do ' x; '; ; last;one");
  });

  it('keeps the very string of a text that is canonical, and its statements', () => {
    const source = 'select a from b; delete from c;';
    const { whole, statements } = canonicalSql(source);
    expect(whole.text).toBe(source);
    expect(statements).toEqual([
      { start: 0, end: 15, canonicalStart: 0, canonicalEnd: 15 },
      { start: 17, end: 30, canonicalStart: 17, canonicalEnd: 30 },
    ]);
  });

  it('looks into strings as deep as it says, and tells when there is more', () => {
    const nested = (levels: number) => {
      let source = 'drop/**/table x';
      for (let level = 0; level < levels; level++) source = `do $l${level}$${source}$l${level}$`;
      return canonicalSql(source);
    };
    expect(nested(deepestLevel).whole.text).toContain('drop table x');
    expect(nested(deepestLevel).complete).toBe(true);
    expect(nested(deepestLevel + 1).complete).toBe(false);
  });
});

const separators = fc.constantFrom(
  ' ',
  '\n',
  '\t',
  '/**/',
  " /* a /* ; */ ' */",
  '--"\n',
  '\u000b',
  '  ',
  '-- $$\r',
);
const words = fc.constantFrom(
  'drop',
  'TABLE',
  'é1',
  'x$y',
  '"a b"',
  '"q""r"',
  'U&"\\0064"',
  '$1',
  '42',
  '1.5',
  '0x1F',
);
const marks = fc.constantFrom(',', '(', ')', ';', '=', '[', ']');
// A comma follows each string, because strings with only a line break between them are one string.
const literals = fc
  .constantFrom("'a'", "'a''b/**/'", "E'\\x61\\''", "$$d''e$$", "U&'\\0061'")
  .map((literal) => [literal, ',']);
const tokens = fc
  .array(
    fc.oneof(
      words.map((word) => [word]),
      marks.map((mark) => [mark]),
      literals,
    ),
  )
  .map((all) => all.flat());

describe('canonicalSql, whatever stands between the tokens', () => {
  it('is the same for every separator', () => {
    fc.assert(
      fc.property(tokens, fc.infiniteStream(separators), (all, stream) => {
        const separated = all.map((token) => token + (stream.next().value ?? ' ')).join('');
        expect(text(separated)).toBe(text(all.join(' ')));
      }),
      { numRuns: volume(700, 2_000) },
    );
  });

  it('is the same without separators where tokens may touch, but for spaces next to marks', () => {
    const tight = (canonical: string) => canonical.replaceAll(/ ?([,()[\]=;']) ?/g, '$1');
    fc.assert(
      fc.property(tokens, (all) => {
        const touching = all.map((token, index) => {
          const free = /^[,()[\]=;"']/.test(all[index + 1] ?? ',') || /[,()[\]=;"']$/.test(token);
          // Quotes of two tokens must not touch, because a doubled quote does not end a token.
          const clash = /^["']/.test(all[index + 1] ?? '') && /["']$/.test(token);
          return free && !clash ? token : `${token} `;
        });
        expect(tight(text(touching.join('')))).toBe(tight(text(all.join(' '))));
      }),
      { numRuns: volume(700, 2_000) },
    );
  });

  it('is the same for every way to write a string', () => {
    const contents = fc.array(
      fc.oneof(separators, words, marks, fc.constantFrom("'", '\\', '$', 'ｄ', '\u200b')),
    );
    fc.assert(
      fc.property(contents, (parts) => {
        const content = parts.join('');
        const hex = (unit: number) => unit.toString(16).padStart(4, '0');
        const units = Array.from({ length: content.length }, (_, at) => content.charCodeAt(at));
        const plain = text(`do '${content.replaceAll("'", "''")}'`);
        expect(text(`do $zq$${content}$zq$`)).toBe(plain);
        expect(text(`do E'${content.replaceAll(/['\\]/g, '\\$&')}'`)).toBe(plain);
        expect(text(`do E'${units.map((unit) => `\\u${hex(unit)}`).join('')}'`)).toBe(plain);
        expect(
          text(`do E'${[...Buffer.from(content)].map((byte) => `\\x${byte.toString(16)}`).join('')}'`),
        ).toBe(plain);
        expect(text(`do U&'${units.map((unit) => `\\${hex(unit)}`).join('')}'`)).toBe(plain);
        expect(text(`do U&'${units.map((unit) => `!${hex(unit)}`).join('')}' uescape '!'`)).toBe(plain);
      }),
    );
  });
});

const openings = fc.constantFrom(...String.raw`' " E' U&' U&" $a$ $$ /* */ \ uescape '' ; ｄ e`.split(' '));
const oddities = fc.constantFrom('\u0301', '\u200b', '\u00a0', '\0', 'ﬁ', ';\u0338', '\ud800', '😀');
const anything = fc
  .array(
    fc.oneof(
      separators,
      words,
      marks,
      literals.map((parts) => parts.join('')),
      openings,
      oddities,
    ),
    { maxLength: 20 },
  )
  .map((parts) => parts.join(''));

describe('canonicalSql, for any text', () => {
  it('gives ranges in bounds and in order, wherever the text is cut', () => {
    fc.assert(
      fc.property(anything, (full) => {
        for (let cut = 0; cut <= full.length; cut++) {
          const source = full.slice(0, cut);
          const { whole, statements } = canonicalSql(source);
          // Calls `expect` only on a failure: a call for each character would take nine tenths of the time.
          let before = { start: 0, end: 0 };
          for (let at = 0; at < whole.text.length; at++) {
            const range = whole.sourceRange(at, at + 1);
            const isBehind = range.start >= before.start && range.end >= Math.max(before.end, range.start);
            if (!isBehind) expect([at, before, range]).toBe('in order');
            before = range;
          }
          expect(before.end).toBeLessThanOrEqual(source.length);
          let [end, canonicalEnd] = [0, 0];
          for (const one of statements) {
            expect(one.start).toBeGreaterThanOrEqual(end);
            expect(one.end).toBeGreaterThan(one.start);
            expect(one.canonicalStart).toBeGreaterThanOrEqual(canonicalEnd);
            expect(one.canonicalEnd).toBeGreaterThan(one.canonicalStart);
            const range = whole.sourceRange(one.canonicalStart, one.canonicalEnd);
            expect(range.start).toBeGreaterThanOrEqual(one.start);
            expect(range.end).toBeLessThanOrEqual(one.end);
            [end, canonicalEnd] = [one.end, one.canonicalEnd];
          }
          expect(end).toBeLessThanOrEqual(source.length);
          expect(canonicalEnd).toBeLessThanOrEqual(whole.text.length);
        }
      }),
      // U+0301 is a combining accent, which combines with the space before it.
      { examples: [[' \u0301'], ['a; \u0301b ;']] },
    );
  });

  it('is folded like a text that is not SQL', () => {
    fc.assert(
      fc.property(anything, (source) => {
        const canonical = text(source);
        expect([canonicalPlain(canonical).text, canonical.trim()]).toEqual([canonical, canonical]);
      }),
    );
  });

  it('takes the short way only where the long one changes nothing', () => {
    const plain = fc.stringMatching(/^[ -~]{0,40}$/);
    fc.assert(
      fc.property(plain, (source) => {
        // With a leading space, `canonicalSql` cannot use its shortcut.
        const [short, long] = [canonicalSql(source), canonicalSql(` ${source}`)];
        expect(short.whole.text).toBe(long.whole.text);
        expect(short.statements.map(({ canonicalStart }) => canonicalStart)).toEqual(
          long.statements.map(({ canonicalStart }) => canonicalStart),
        );
        if (short.whole.text === source)
          expect(short.whole.sourceRange(0, source.length).end).toBe(source.length);
      }),
      { numRuns: volume(1_500, 5_000) },
    );
  });
});
