import { canonicalSql } from './lexing/canonical-text';
import { volume } from '../../../test/support/volume';

describe('canonicalSql, for texts made to be slow', () => {
  const repeated = [
    String.raw`/* */ -- /**/ ' '' 'a'' " "" $ $a$b$c$ $$ $$' $é U&" U&"" U&''/**/ a"b" ; 1a 1_ 1. . \ E'\xe2 '\0041'`,
    String.raw`U&''uescape'' U&''uescape U&''uescapeU& U&'\0041'uescape'!' E'\ e'\'' `,
    '\u0301\u0316 e\u0301\u0316 \u200b ㄱㅏ ｄ \ud800 ﷺ',
  ].flatMap((line) => line.trim().split(' '));
  repeated.push('--\n', "''\n", "'' --x\n", "''\n--", '$a$ b $', 'U&"" ', "U&'' uescape ", ' ', '\n');

  // Code that takes quadratic time would need hours for these texts.
  it.each(repeated)('takes much of %j', (unit) => {
    const source = unit.repeat(Math.ceil(volume(2 ** 18, 2 ** 20) / unit.length));
    expect(canonicalSql(source).whole.text.length).toBeLessThanOrEqual(20 * source.length);
  });

  it('takes a very long row of names and dots before a quote, and of strings that go on', () => {
    expect(canonicalSql(`${'a.'.repeat(2 ** 19)}"b"`).whole.text.endsWith('a.b')).toBe(true);
    expect(canonicalSql(`E${String.raw`'\xe2'`.concat('\n').repeat(2 ** 17)}`).complete).toBe(true);
  });

  it('takes very many different dollar tags that are not closed, and a very long one', () => {
    const tags = Array.from({ length: 100_000 }, (_, index) => `$t${index}$ `).join('');
    expect(canonicalSql(tags).complete).toBe(false);
    const long = `$${'a'.repeat(2 ** 19)}`;
    expect(canonicalSql(`${long}$${long} ${long}`).whole.text.startsWith("'")).toBe(true);
  });
});
