import * as fc from '../../../test/support/fast-check';
import { volume } from '../../../test/support/volume';
import { atOnce } from '../../kernel/async/time-slice';
import { base64Texts, escapedText, percentText } from './spellings';

/** Length of a text that is read in several steps. */
const LONG = 200_000;

const piece = fc.oneof(
  fc.string({ unit: 'binary', minLength: 1, maxLength: 12 }),
  fc.constantFrom(
    'Zm9v',
    '\\u0041',
    '\\x41\\',
    '%41%c3',
    '%a4',
    ' ',
    '=',
    '\\u{1F600}',
    'c2VjcmV0IHdvcmRz',
    '\u{1F600}',
  ),
);
const text = fc
  .tuple(fc.array(piece, { minLength: 1, maxLength: 6 }), fc.string({ maxLength: 5 }))
  .map(([pieces, end]) => {
    const some = pieces.join('');
    return some.repeat(Math.ceil(LONG / some.length)) + end;
  });

const found = (of: string): string[] => [...base64Texts(of)].filter((one) => one !== undefined);

/**
 * Reference implementation: decodes all percent escapes in one step, as the tested code does for short texts.
 */
function atOncePercents(of: string): string {
  return of.replaceAll(/(?:%[\da-fA-F]{2})+/g, (run) => {
    const bytes = Buffer.from(run.replaceAll('%', ''), 'hex');
    const utf8 = bytes.toString();
    return utf8.includes('\ufffd') && !Buffer.from(utf8).equals(bytes) ? bytes.toString('latin1') : utf8;
  });
}

describe('texts in other spellings', () => {
  it('of percents are read in long texts as in short ones', () => {
    fc.assert(
      fc.property(text, (long) => {
        expect(atOnce(percentText(long)) === atOncePercents(long)).toBe(true);
      }),
      { numRuns: volume(40, 400) },
    );
  });

  it('of escapes are read in long texts as in short ones', () => {
    fc.assert(
      fc.property(piece, (some) => {
        // No escape begins in one line and ends in the next line.
        const line = `${some.replaceAll('\n', '')} .\n`;
        const long = line.repeat(Math.ceil(LONG / line.length));
        const short = atOnce(escapedText(line));
        expect(atOnce(escapedText(long)) === short.repeat(Math.ceil(LONG / line.length))).toBe(true);
      }),
      { numRuns: volume(40, 400) },
    );
  });

  it.each([
    ['letters', 'lorem ipsum '],
    ['wide letters', 'größe, 大きい '],
    ['emoji', '\u{1F4A9}\u{1F600} '],
  ])('of base64 are read in megabytes: %s', (_, words) => {
    const plain = words.repeat(300_000);
    const written = Buffer.from(plain).toString('base64');
    expect(found(written).includes(plain)).toBe(true);
    expect(found(written.replaceAll(/.{76}/g, '$&\n')).includes(plain)).toBe(true);
    expect(found(`${written}  \n`).includes(plain)).toBe(true);
    expect(found(`data:text/plain;base64,${written}`).includes(plain)).toBe(true);
  });

  it('of base64 are read in megabytes of UTF-16', () => {
    const plain = 'lorem ipsum '.repeat(300_000);
    expect(found(Buffer.from(plain, 'utf16le').toString('base64')).includes(plain)).toBe(true);
  });

  it('of base64 are none where the bytes are no text', () => {
    expect(found(Buffer.alloc(3_000_000, 7).toString('base64'))).toEqual([]);
  });

  it('give turns to others', () => {
    const steps = [...base64Texts(Buffer.from('words '.repeat(500_000)).toString('base64'))];
    expect(steps.length).toBeGreaterThan(50);
    const escapes = escapedText('a\\n'.repeat(100_000));
    let turns = 0;
    while (escapes.next().done !== true) turns += 1;
    expect(turns).toBeGreaterThan(50);
  });
});
