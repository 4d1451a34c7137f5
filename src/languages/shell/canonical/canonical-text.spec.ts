import * as fc from '../../../../test/support/fast-check';
import { volume } from '../../../../test/support/volume';
import { shell } from '../../shell';
import { canonicalShell } from './canonical-text';

const text = (source: string): string => canonicalShell(source).whole.text;

describe('canonicalShell', () => {
  it.each([
    ['rm -rf x', 'rm -rf x'],
    [`r''m "-r"f 'x'`, 'rm -rf x'],
    ['\\rm -\\r\\f x', 'rm -rf x'],
    ['r\\\nm -rf \\\n x', 'rm -rf x'],
    ["$'\\x72m' $'\\055rf' x", 'rm -rf x'],
    ['rm # -rf x\nls', 'rm ls'],
    ['rm${IFS}-rf$IFS/x', 'rm -rf /x'],
    [`sh -c 'r""m x'`, 'sh -c rm x'],
    [`sh -c "sh -c \\"r\\\\\\"\\\\\\"m x\\""`, 'sh -c sh -c rm x'],
    ['echo "$(r\\m "x")"', 'echo $(rm x)'],
    ['echo `r\\\\m x`', 'echo `rm x`'],
    [`cat <<E\nit's r""m\nE\nr\\m x`, 'cat <<E its rm E rm x'],
    ['$"rm" x', 'rm x'],
    ['ｒｍ\u3000ｘ', 'rm x'],
    ['r\u200bm x', 'rm x'],
    ["echo 'open", 'echo open'],
    ['', ''],
    ['# only a comment', ''],
  ])('turns %j into %j', (source, canonical) => {
    expect(text(source)).toBe(canonical);
  });

  it('maps what a rule finds to the whole of what was written', () => {
    const source = `ls; r''m "-r"f $'\\x2f'etc`;
    const { whole } = canonicalShell(source);
    const at = whole.text.indexOf('rm -rf /etc');
    const { start, end } = whole.sourceRange(at, at + 'rm -rf /etc'.length);
    expect(source.slice(start, end)).toBe(`r''m "-r"f $'\\x2f'etc`);
  });

  it('divides a script into its commands, also those in substitutions', () => {
    const { whole, statements } = canonicalShell(
      'ls "a" && rm x | cat "$(r\\m y)"; # end\nif true; then z; fi',
    );
    expect(
      statements.map(({ canonicalStart, canonicalEnd }) => whole.text.slice(canonicalStart, canonicalEnd)),
    ).toEqual(['ls a', 'rm x', 'cat $(rm y)', 'rm y', 'true', 'z']);
  });

  it('is not complete where texts nest too deeply, so that nothing hides there', () => {
    let nested = `r''m x`;
    for (let level = 0; level < 5; level += 1) nested = `sh -c '${nested.replaceAll("'", String.raw`'\''`)}'`;
    expect(canonicalShell(nested)).toMatchObject({
      whole: { text: `${'sh -c '.repeat(5)}rm x` },
      complete: true,
    });
    for (let level = 0; level < 5; level += 1) nested = `sh -c '${nested.replaceAll("'", String.raw`'\''`)}'`;
    expect(canonicalShell(nested).complete).toBe(false);
    expect(canonicalShell('"$('.repeat(500)).complete).toBe(false);
  });

  it('never fails, and keeps each run of letters of a text that is plain', () => {
    const pieces = fc.constantFrom(
      ...'ab \n\'"\\$`(){};&|<>#[]=',
      '$(',
      '${',
      '<<a\n',
      "$'",
      'é',
      '\ud800',
      '\0',
      '((',
      '$((',
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 30 }), (all) => {
        const source = all.join('');
        const { whole, statements } = canonicalShell(source);
        for (const { start, end } of statements)
          expect(0 <= start && start <= end && end <= source.length).toBe(true);
        if (!shell.isPlain(source)) return;
        const words = (from: string): string[] => from.match(/\w+/g) ?? [];
        const kept = words(whole.text);
        for (const word of words(source.replaceAll(/#.*/g, ''))) expect(kept).toContain(word);
      }),
      { numRuns: 500 },
    );
  });

  // Code that takes quadratic time would need hours for these texts.
  it.each([
    `'`,
    `"`,
    '\\',
    '$(',
    '"$(',
    '${x:-',
    '`',
    '((',
    '<<a ',
    'cat <<a\n',
    "$'",
    'a=(',
    '[[ ',
    '#',
    '\\\n',
    "'\\''",
    'a[',
  ])('takes much of %j', (unit) => {
    const source = unit.repeat(Math.ceil(volume(2 ** 17, 2 ** 20) / unit.length));
    expect(canonicalShell(source).whole.text.length).toBeLessThanOrEqual(source.length + 1);
  });
});
