import { clockOfLooks, turnsDuring } from '../../../test/support/turns';
import { valuesIn } from './recorded-values';

/** Number of characters that the reader processes in one step. */
const PART = 64 * 1024;

async function valuesOf(text: string): Promise<string[]> {
  const found: string[] = [];
  for await (const value of valuesIn(text)) found.push(value);
  return found;
}

const bound = (values: readonly string[]): string =>
  ['\\bind', ...values.map((value) => `'${value.replaceAll("'", "''")}'`)].join(' ');

describe('the values of a recorded input', () => {
  it('are whole, wherever the borders of parts are', async () => {
    for (let before = PART - 6; before <= PART + 1; before++)
      for (const middle of ["'", "''", "'x'", "😀'", ' ']) {
        const values = [`${'x'.repeat(before)}${middle}${'y'.repeat(PART)}'`, 'next', "'"];
        expect((await valuesOf(bound(values))).every((value, at) => value === values[at])).toBe(true);
        expect(await valuesOf(bound([values[0] as string]))).toHaveLength(1);
        expect(await valuesOf(bound(values))).toHaveLength(3);
      }
  });

  it('are read as far as they go, where the text was cut off', async () => {
    const value = `${"'".repeat(PART)}x`;
    const text = bound([value]);
    for (let length = text.length - 4; length < text.length; length++) {
      const [found = ''] = await valuesOf(text.slice(0, length));
      expect(value.startsWith(found)).toBe(true);
      expect(found.length).toBeGreaterThanOrEqual(PART - 1);
    }
  });

  it.each([
    ['one value of quotes', bound(["'".repeat(64 * PART)])],
    ['one value without quotes', bound(['x'.repeat(128 * PART)])],
    ['empty values', bound(Array<string>(5_000).fill(''))],
    ['NULL', `\\bind${' NULL'.repeat(5_000)}`],
    ['spaces', `\\bind${' '.repeat(5_000)}`],
    ['short values', bound(Array<string>(5_000).fill('x'))],
    ['a name of quotes', `\\bind_named '${"'".repeat(128 * PART)}' 'x'`],
  ])('let the event loop turn: %s', async (_, text) => {
    const clock = clockOfLooks();
    try {
      expect((await turnsDuring(() => valuesOf(text))).turns).toBeGreaterThan(50);
    } finally {
      clock.mockRestore();
    }
  });
});
