import * as fc from '../../../../test/support/fast-check';
import { loadModule, parseSync } from 'libpg-query';
import { SqlLexer } from './lexer';
import { decodeBody } from './literal-body';

/** Returns the literal's text as our lexer reads it, or null if the literal ends before the input does. */
function ours(literal: string): string | null {
  const lexer = new SqlLexer(literal);
  lexer.next();
  if (lexer.end < literal.length) return null;
  return decodeBody(literal, lexer.body).text;
}

/** Returns the literal's text as PostgreSQL's parser reads it, or null if the parser refuses the literal. */
function theirs(literal: string): string | null {
  try {
    const tree = JSON.stringify(
      parseSync(literal.includes('"') ? `select 1 as ${literal}` : `select ${literal}`),
    );
    const value = /"sval":\{(?:"sval":("(?:[^"\\]|\\.)*"))?\}|"name":("(?:[^"\\]|\\.)*")/.exec(tree);
    return value === null ? null : (JSON.parse(value[1] ?? value[2] ?? '""') as string);
  } catch {
    return null;
  }
}

const pieces =
  String.raw`a é 😀 '' \\ \' \" \n \t \q \101 \7 \501 \x41 \x4 \xc3\xa9 \303\251 \u0041 \U0001F600 \uD83D\uDE00 \0041
 \+000041 \D83D\DE00 !0041 !! \ ! 4 - $ $$ /* --`.split(/\s+/);
const bodies = fc.array(fc.constantFrom(...pieces), { maxLength: 6 }).map((parts) => parts.join(''));
const literals = fc.oneof(
  bodies.map((body) => `'${body}'`),
  bodies.map((body) => `E'${body}'`),
  fc.tuple(bodies, bodies).map(([first, second]) => `E'${first}'\n'${second}'`),
  bodies.map((body) => `U&'${body}'`),
  bodies.map((body) => `U&'${body}' uescape '!'`),
  bodies.map((body) => `$t$${body}$t$`),
  bodies.map((body) => `"${body.replaceAll('"', '""')}"`),
  bodies.map((body) => `U&"${body.replaceAll('"', '""')}"`),
);

describe('decodeBody', () => {
  beforeAll(() => loadModule());

  it('reads what PostgreSQL reads, where that accepts it', () => {
    const accepted = new Set<string>();
    fc.assert(
      fc.property(literals, (literal) => {
        const expected = theirs(literal);
        // Skips long names, because PostgreSQL truncates them.
        if (expected === null || Buffer.byteLength(expected) >= 63) return;
        const found = ours(literal);
        if (found === null) return;
        accepted.add(literal);
        expect(found).toBe(expected);
      }),
      { numRuns: 5_000 },
    );
    expect(accepted.size).toBeGreaterThan(1_000);
  });

  it.each([
    [String.raw`U&'\00zz'`, String.raw`\00zz`],
    [String.raw`U&'\+FFFFFF'`, String.raw`\+FFFFFF`],
    [String.raw`E'\UFFFFFFFF'`, String.raw`\UFFFFFFFF`],
    [String.raw`E'\xff'`, '\ufffd'],
    [String.raw`E'\x'`, 'x'],
    [String.raw`E'a\\'`, 'a\\'],
    ["E'a\\", 'a\\'],
  ])('makes something of what PostgreSQL refuses: %j', (literal, text) => {
    expect(ours(literal)).toBe(text);
  });
});
