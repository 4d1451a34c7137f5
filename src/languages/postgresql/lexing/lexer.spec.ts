import * as fc from '../../../../test/support/fast-check';
import { loadModule, scanSync } from 'libpg-query';
import { SqlLexer, type TokenKind } from './lexer';
import { volume } from '../../../../test/support/volume';

/**
 * Tokens as `kind start end`. Punctuation is left out, because PostgreSQL joins the characters of an operator
 * into one token, and our lexer does not.
 */
type Boundaries = string[];

function ours(source: string): Boundaries {
  const found: Boundaries = [];
  const lexer = new SqlLexer(source);
  while (lexer.next()) {
    const { kind, body } = lexer;
    if (kind === 'space' || kind === 'other') continue;
    const literal = kind === 'string' || kind === 'quoted name';
    // PostgreSQL's scanner returns the N of N'…' as a token of its own, and leaves UESCAPE to the parser. Our
    // lexer returns one token in both cases.
    const national = literal && /[nN]/.test(source.charAt(lexer.start)) ? 1 : 0;
    if (national) found.push(`name ${lexer.start} ${lexer.start + 1}`);
    const end = body.escape === '\\' || !literal ? lexer.end : (body.parts.at(-1) ?? 0) + 1;
    found.push(`${kind} ${lexer.start + national} ${end}`);
    if (end < lexer.end) found.push(...theirs(source, end, lexer.end));
  }
  return found;
}

function theirs(source: string, from = 0, to = source.length): Boundaries {
  const offsets: number[] = [];
  for (let unit = 0, byte = 0; unit <= source.length; unit++) {
    offsets[byte] = unit;
    const code = source.codePointAt(unit) ?? 0;
    byte += Buffer.byteLength(String.fromCodePoint(code));
    if (code > 0xffff) unit++;
  }
  return scanSync(source).tokens.flatMap((token) => {
    const [start, end] = [offsets[token.start] ?? -1, offsets[token.end] ?? -1];
    const kind = kindOf(source.slice(start, end));
    return kind === 'other' || start < from || end > to ? [] : [`${kind} ${start} ${end}`];
  });
}

function kindOf(text: string): TokenKind {
  if (/^(--|\/\*)/.test(text)) return 'comment';
  if (/^(u&)?"/i.test(text)) return 'quoted name';
  if (/^([ebx]|u&)?'/i.test(text) || /^\$(?!\d)./su.test(text)) return 'string';
  if (/^\$\d/.test(text)) return 'parameter';
  if (/^\.?\d/.test(text)) return 'number';
  if (/^[a-z_\u0080-\u{10ffff}]/iu.test(text)) return 'name';
  return text === ';' ? 'semicolon' : 'other';
}

/**
 * Whether a string constant continues after a comment. PostgreSQL allows that, but libpg-query does not,
 * because its scanner returns a comment as a token.
 */
function goesOnAfterComment(source: string): boolean {
  const lexer = new SqlLexer(source);
  while (lexer.next()) {
    const { parts } = lexer.body;
    for (let part = 1; part + 1 < parts.length; part += 2) {
      if (source.slice(parts[part], parts[part + 1]).includes('--')) return true;
    }
  }
  return false;
}

/**
 * Splits a list of texts at ¦, and replaces symbols such as ⏎ with the invisible characters they stand for.
 */
function inputs(list: TemplateStringsArray): string[] {
  const signs: Readonly<Record<string, string>> = {
    '⏎': '\n',
    '␍': '\r',
    '␉': '\t',
    '␌': '\f',
    '⍽': '\u00a0',
  };
  const items = String.raw(list)
    .trim()
    .split(/ ¦ |\n +/);
  return items.map((item) => item.replaceAll(/[⏎␍␉␌⍽]/g, (sign) => signs[sign] ?? sign));
}

const strings = inputs`
  '' ¦ 'a' ¦ 'a''b' ¦ '''' ¦ '--' ¦ '/*' ¦ 'a\' ¦ 'a⏎b' ¦ E'a\'b' ¦ e'\\' ¦ E'a''b\'' ¦ E'\⏎'
  E'\x41\101\u0041' ¦ b'01' ¦ B'1''0' ¦ X'1F' ¦ x'1'⏎'F' ¦ N'a' ¦ n'a''b' ¦ U&'d\0061' ¦ u&'\'
  U&'!0061' uescape '!' ¦ U&'a' UESCAPE/**/'!' ¦ U&'a'/*b*/uescape --c⏎'!' ¦ U&'a' uescape E'!'
  U&'a' uescape $$!$$ ¦ U&'a' uescape 'ab' ¦ U&'a' uescape 'f' ¦ U&'a' uescape '+' ¦ U&'a' uescapes '!'
  U&'a' uescape$ '!' ¦ U&'a'⏎'b' uescape '!' ¦ U& 'a' ¦ U &'a' ¦ u&u&'a' ¦ 'a'⏎'b' ¦ 'a'␍'b' ¦ 'a' ␉⏎⏎ 'b'
  'a' 'b' ¦ 'a'⏎--d ¦ 'a'⏎/*c*/'b' ¦ 'a' /*c*/⏎'b' ¦ 'a'⏎- 'b' ¦ E'a'⏎'b\'' ¦ 'a'⏎E'b' ¦ 'a'⏎"b"
  'a'⏎$$b$$ ¦ ae'b' ¦ _e'\' ¦ éE'b' ¦ 1 E'b\'' ¦ $1E'b\'--c'
`;
const dollars = inputs`
  $$a$$ ¦ $$$$ ¦ $a$b$a$ ¦ $a$b$$c$a$ ¦ $a$$a$ ¦ $a$b$A$c$a$ ¦ $a1$b$a1$ ¦ $_$b$_$ ¦ $é$x$é$ ¦ $a$b$c$a$
  $a$ $ab$ $a$ ¦ $$'$$ ¦ $$--$$ ¦ $$/*$$ ¦ $$"$$ ¦ a$$b$$ ¦ a$b$c ¦ a1$$ b$$ ¦ é$a$b ¦ 1$a$b$a$ ¦ 1.5$$b$$
  $1$$b$$ ¦ $1$a$b$a$ ¦ $12 ¦ "a"$$b$$ ¦ 'a'$$b$$ ¦ +$$b$$ ¦ $a$⏎$a$$b$x$b$
`;
const names = inputs`
  a ¦ a_1$ ¦ é ¦ a⍽b ¦ ａｂ ¦ 𝐚b ¦ _ ¦ "a" ¦ "a""b" ¦ "a'b" ¦ "--" ¦ "/*" ¦ "$$" ¦ "a"b ¦ a"b" ¦ "a""b""c"
  "a" "b" ¦ "a"⏎"b" ¦ U&"a" ¦ u&"d\0061" ¦ U&"a""b" ¦ U&"!0061" uescape '!' ¦ U&"a"uescape'!'
  U&"a" U&"b" uescape '!' ¦ U&"a" uescape ¦ U&"a" uescape U&'!' ¦ U&"a" uescape N'!' ¦ U&"a" uescape b'1'
  b"a" ¦ e"a" ¦ select"a"from"b"
`;
const others = inputs`
  -- ¦ --a⏎b ¦ --a␍b ¦ --a--b⏎c ¦ -- /*⏎b ¦ --'⏎b ¦ /**/ ¦ /***/ ¦ /*a*/b ¦ /*/*a*/b*/c ¦ /*/**/*/a
  /**//**/ ¦ /* -- */a ¦ /*'*/a ¦ /*$$*/a ¦ /*//*a*/*/b ¦ /***a***/b ¦ /*a**/b ¦ a/**/b ¦ a/*⏎*/b
  1/*a*/2 ¦ a-- b ¦ a- -b ¦ a---b ¦ a+--b ¦ a*/*b*/c ¦ a//*b*/c ¦ a@-/*b*/c ¦ a<--b⏎c ¦ 1 ¦ 1.5 ¦ .5 ¦ 1.
  1..10 ¦ 1...5 ¦ 1e5 ¦ 1.5e-5 ¦ .5E+5 ¦ 1_000 ¦ 0x1F ¦ 0b101 ¦ 0o17 ¦ 0x_1F ¦ a.5 ¦ 1.5.5 ¦ 1-1 ¦ "a".5
  a;b ¦ ;; ¦ a;';';b ¦ a/*;*/;b ¦ $$;$$; ¦ a::b ¦ a:=b ¦ a=>b ¦ (a)[1] ¦ a%b ¦ a␌b
`;

const fragments = fc.constantFrom(
  ...inputs`' ¦ '' ¦ E' ¦ U&' ¦ U&" ¦ " ¦ "" ¦ N ¦ b' ¦ $ ¦ $$ ¦ $a$ ¦ $1 ¦ a ¦ e ¦ u& ¦ é ¦ 𝐚 ¦ _ ¦ \ ¦ \' ¦ \0061 ¦ ⏎ ¦ ␍
    -- ¦ - ¦ / ¦ * ¦ /* ¦ */ ¦ /*c*/ ¦ --c⏎ ¦ 'x' ¦ "y" ¦ ! ¦ uescape ¦ '!' ¦ 1 ¦ . ¦ .5 ¦ 1e5 ¦ 0x1F ¦ ; ¦ + ¦ , ¦ ( ¦ $a$z$a$
    ⏎'z' ¦ E'\''`,
  ' ',
  ' uescape ',
);
const mixes = fc.array(fragments, { minLength: 1, maxLength: 12 }).map((parts) => parts.join(''));

describe('SqlLexer', () => {
  beforeAll(() => loadModule());

  it.each([...strings, ...dollars, ...names, ...others])('splits as PostgreSQL does: %j', (source) => {
    for (const text of [source, ` ${source} `, `x,${source}\n,y`, `é ${source};`]) {
      expect(ours(text)).toEqual(theirs(text));
    }
  });

  it('splits random mixes as PostgreSQL does, where that accepts them', () => {
    let accepted = 0;
    fc.assert(
      fc.property(mixes, (source) => {
        let expected: Boundaries;
        try {
          expected = theirs(source);
        } catch {
          expected = [];
        }
        if (expected.length === 0 || goesOnAfterComment(source)) return;
        accepted++;
        expect(ours(source)).toEqual(expected);
      }),
      { numRuns: volume(1_500, 10_000) },
    );
    expect(accepted).toBeGreaterThan(fc.runs(volume(150, 1_000)));
  });

  // PostgreSQL 18.4 reads each of these texts as one string.
  it.each(["'a'--c\n'b'", "E'a' --c\n --d\n 'b\\''", "'a'\n--d\n'b'"])(
    'lets a string go on after a line comment: %j',
    (source) => {
      expect(ours(source)).toEqual([`string 0 ${source.length}`]);
    },
  );

  it('covers every text with tokens, whether PostgreSQL accepts it or not', () => {
    fc.assert(
      fc.property(fc.oneof(mixes, fc.string({ unit: 'binary' })), (source) => {
        const lexer = new SqlLexer(source);
        let covered = 0;
        while (lexer.next()) {
          if (lexer.start !== covered || lexer.end <= covered)
            expect([lexer.start, lexer.end]).toBe(`right behind ${covered}`);
          covered = lexer.end;
        }
        expect(covered).toBe(source.length);
      }),
      { numRuns: volume(800, 5_000) },
    );
  });

  it.each([
    ["a 'b", 'string'],
    ["a E'b\\'", 'string'],
    ['a "b', 'quoted name'],
    ['a /* b */ /* c', 'comment'],
    ['a $b$ c', 'string'],
    ["a U&'b", 'string'],
  ])('lets what is not closed run to the end: %j', (source, kind) => {
    const lexer = new SqlLexer(source);
    while (lexer.end < source.length) lexer.next();
    expect(lexer.kind).toBe(kind);
    expect(lexer.next()).toBe(false);
    if (kind !== 'comment') expect(lexer.closed).toBe(false);
  });
});
