import * as fc from '../../../../test/support/fast-check';
import { AppError } from '../../../kernel/app-error';
import { BODY_BOUNDS } from './bounds';
import { JsonReader } from './json-reader';

function read(bytes: Uint8Array, ...cuts: number[]): unknown {
  const reader = new JsonReader();
  const places = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b);
  let from = 0;
  for (const to of [...places, bytes.length]) {
    reader.push(Buffer.from(bytes.subarray(from, to)));
    from = to;
  }
  return reader.end();
}

const text = (value: string) => Buffer.from(value);
const times = (count: number, item: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => item(index)).join(',');

/** Characters that a cut between two chunks may split, such as escapes and characters of several bytes. */
const character = fc.constantFrom('a', '"', '\\', '\n', '\u{1F4A9}', 'é', '\uD83D', '\u2028', '\0');
/** Short strings, and strings that are longer than the pieces that the parser gets. */
const string = fc
  .tuple(
    fc.array(character, { maxLength: 12 }),
    fc.constantFrom(1, 3_000, 40_000),
    fc.array(character, { maxLength: 12 }),
  )
  .map(([head, repeats, tail]) => head.join('').repeat(repeats / Math.max(1, head.length)) + tail.join(''));

/** Writes JSON. Escapes all characters beyond ASCII, or only those that JSON requires to be escaped. */
const written = (value: unknown, escapeAll: boolean): string =>
  escapeAll
    ? JSON.stringify(value).replaceAll(/[^\0-\x7f]/gu, (it) =>
        [...Array(it.length).keys()]
          .map((at) => `\\u${it.charCodeAt(at).toString(16).padStart(4, '0')}`)
          .join(''),
      )
    : JSON.stringify(value);

describe('a JSON body', () => {
  it('is read as JSON.parse reads it, however it is cut and escaped', () => {
    const value = fc.record({
      script: string,
      other: fc.oneof(string, fc.array(string, { maxLength: 3 }), fc.record({ a: string })),
      number: fc.double(),
    });
    fc.assert(
      fc.property(value, fc.boolean(), fc.array(fc.nat(), { maxLength: 8 }), (value, escapeAll, cuts) => {
        const bytes = text(written(value, escapeAll));
        expect(read(bytes, ...cuts)).toEqual(JSON.parse(bytes.toString()));
      }),
      { numRuns: 150 },
    );
  });

  it('is read completely, wherever it is cut around the start of a long text', () => {
    const bytes = text(JSON.stringify({ script: `${'x'.repeat(16 * 1024 - 4)}\\"\u{1F4A9}\n`.repeat(2) }));
    for (let cut = 16 * 1024 - 20; cut < 16 * 1024 + 60; cut += 1) {
      expect(read(bytes, cut)).toEqual(JSON.parse(bytes.toString()));
    }
  });

  it('is refused if it is not JSON, also within a long text', () => {
    const long = 'x'.repeat(20_000);
    for (const bad of [
      '',
      '{',
      '{"a":',
      '[1,]',
      `{"a":"${long}`,
      `{"a":"${long}\n"}`,
      `{"a":"${long}\\x"}`,
      `"${long}\\u12"`,
    ])
      expect(() => read(text(bad))).toThrow(SyntaxError);
    for (const bytes of [[0xff], [0xc3], [0xed, 0xa0, 0x80], [0xc0, 0x80], [0xf4, 0x90, 0x80, 0x80]]) {
      for (const before of ['{"a":"', `{"a":"${long}`])
        expect(() => read(Buffer.concat([text(before), Buffer.from(bytes), text('"}')]))).toThrow(
          expect.objectContaining({ code: 'ERR_ENCODING_INVALID_ENCODED_DATA' }),
        );
    }
  });

  it.each([
    ['fields', `{${times(BODY_BOUNDS.fields + 1, (index) => `"${index}":1`)}}`],
    ['fields of one name', `{${times(60_000, () => '"a":1')}}`],
    ['elements', `[${times(BODY_BOUNDS.elements + 1, () => '1')}]`],
    ['depth', `${'['.repeat(BODY_BOUNDS.depth + 1)}1${']'.repeat(BODY_BOUNDS.depth + 1)}`],
    ['values', `[${times(60, () => `[${times(1_000, () => '1')}]`)}]`],
    ['bytes of structure', `[${times(100, () => `"${'x'.repeat(16_000)}"`)}]`],
    ['name', `{"${'x'.repeat(20_000)}":1}`],
  ])('beyond the bound of %s is refused', (_, body) => {
    expect(() => read(text(body))).toThrow(AppError);
  });

  it('is refused before all of it has arrived', () => {
    const reader = new JsonReader();
    expect(() => reader.push(text(`{${times(2_000, (index) => `"${index}":1`)}`))).toThrow(
      /more than 1000 fields/,
    );
  });

  it('is accepted within the limits', () => {
    const body = `{"a":[${times(BODY_BOUNDS.elements, () => '1')}],"b":{${times(BODY_BOUNDS.fields, (index) => `"${index}":1`)}}}`;
    expect(read(text(body))).toEqual(JSON.parse(body));
  });
});
