import * as fc from '../../../../test/support/fast-check';
import { renderRow } from '../../../kernel/text/tabular-text';
import { BUILT_IN_TYPES } from '../binary/built-in-types';
import { styleOf } from '../binary/style';
import { int32, message } from '../wire/message';
import { PLAIN, type RowShape, RowText } from './row-text';

const texts = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.string({
    unit: fc.constantFrom('\\', '\t', '\n', '\r', 'N', 'é', '😀', '\uFFFD', '\uFEFF', '\0', 'a'),
    maxLength: 40,
  }),
);
const cells = fc.array(fc.option(texts), { maxLength: 6 });

function dataRow(values: readonly (string | Buffer | null)[]): Buffer {
  const fields = values.flatMap((value) => {
    const bytes = value === null ? undefined : Buffer.from(value as string);
    return bytes === undefined ? [int32(-1)] : [int32(bytes.length), bytes];
  });
  return message('D', Buffer.of(values.length >> 8, values.length & 255), ...fields);
}

function textOfRows(rows: readonly Buffer[], shape: RowShape = PLAIN): string {
  const text = new RowText();
  for (const row of rows) {
    // Puts other bytes before and after the row, as in a chunk with several messages.
    const chunk = Buffer.concat([Buffer.alloc(3, 1), row, Buffer.alloc(9, 1)]);
    text.addRow(chunk, 3, 3 + row.length, shape);
  }
  return text.view().toString();
}

describe('rows as text', () => {
  it('are the rendered cells, for any number and length of them', () => {
    fc.assert(
      fc.property(fc.array(cells, { maxLength: 60 }), (rows) => {
        expect(textOfRows(rows.map(dataRow))).toBe(rows.map(renderRow).join(''));
      }),
    );
  });

  it('grow as they need to, by one cell or by many', () => {
    for (const size of [1, 509, 510, 511, 512, 513, 5_000]) {
      const long = '\n'.repeat(size);
      expect(textOfRows([dataRow([long, null, long])])).toBe(renderRow([long, null, long]));
      const nulls = Array<null>(size).fill(null);
      expect(textOfRows([dataRow(nulls)])).toBe(renderRow(nulls));
    }
  });

  const big = (bytes: number, value: bigint): Buffer => {
    const buffer = Buffer.alloc(8);
    buffer.writeBigInt64BE(value);
    return buffer.subarray(8 - bytes);
  };

  it.each([
    [20, 8, fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })],
    [23, 4, fc.bigInt({ min: -(2n ** 31n), max: 2n ** 31n - 1n })],
    [21, 2, fc.bigInt({ min: -(2n ** 15n), max: 2n ** 15n - 1n })],
  ])('show whole numbers of type %i in digits though they are binary', (type, bytes, values) => {
    const columns = [{ name: 'n', table: 0, attribute: 0, type, isBinary: true }];
    const types = { find: (oid: number) => BUILT_IN_TYPES.get(oid), money: undefined };
    const printing = { types, style: styleOf(new Map()), isStrict: true };
    fc.assert(
      fc.property(values, (value) => {
        const row = dataRow([big(bytes, value)]);
        expect(textOfRows([row], { columns, formats: [1], printing })).toBe(`${value}\n`);
      }),
    );
  });

  it('show other binary values by their bytes, which may grow to three times as many', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 600 }), fc.option(texts), (bytes, text) => {
        const value = Buffer.from(bytes);
        const shape = { columns: undefined, formats: [1, 0] };
        expect(textOfRows([dataRow([value, text])], shape)).toBe(renderRow([value.toString(), text]));
      }),
    );
  });

  it.each([
    ['a cell longer than the row', [0, 1, 0, 0, 0, 99, 65]],
    ['a negative length', [0, 1, 0xff, 0xff, 0xff, 0xfe, 65]],
  ])('are not made of %s', (_, body) => {
    const text = new RowText();
    const row = message('D', Buffer.from(body));
    expect(() => text.addRow(row, 0, row.length, PLAIN)).toThrow(RangeError);
  });

  it('begin anew once they are cleared', () => {
    const text = new RowText();
    text.addText('ü');
    text.addBytes(Buffer.from('abc'), 1, 2);
    expect(text.view().toString()).toBe('üb');
    text.clear();
    expect([text.length, text.view().length]).toEqual([0, 0]);
  });
});
