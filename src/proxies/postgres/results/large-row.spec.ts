import * as fc from '../../../../test/support/fast-check';
import { renderRow } from '../../../kernel/text/tabular-text';
import { atOnce } from '../../../kernel/async/time-slice';
import { LargeRow } from './large-row';
import { int32, message } from '../wire/message';
import { PLAIN, RowText } from '../pipeline/row-text';

const largeRow = (...place: Parameters<typeof LargeRow.of>): LargeRow => atOnce(LargeRow.of(...place));

type Row = readonly (Buffer | null)[];

function dataRow(cells: Row): Buffer {
  const fields = cells.flatMap((value) => (value === null ? [int32(-1)] : [int32(value.length), value]));
  return message('D', Buffer.of(0, cells.length), ...fields);
}

/** Texts to repeat, so that a piece of 16 KiB ends inside a character or inside an escape. */
const unit = fc.constantFrom('é', 'ж', '日本', '😀', '\uFFFD', '\uFEFF', '\\', '\t\n', 'plain ', 'x');
const text = fc
  .tuple(fc.nat(5), fc.array(unit, { minLength: 1, maxLength: 4 }), fc.constantFrom(1, 3, 9_000, 30_000))
  .map(([before, units, times]) => `${'.'.repeat(before)}${units.join('').repeat(times)}`);
const texts = fc.array(fc.option(text), { maxLength: 4 });
const anyBytes = fc
  .tuple(fc.uint8Array({ minLength: 1, maxLength: 9 }), fc.constantFrom(1, 20_000))
  .map(([bytes, times]) => Buffer.concat(Array.from({ length: times }, () => bytes)));

describe('a large row', () => {
  it('is in pieces the text that it is as a whole', () => {
    fc.assert(
      fc.property(texts, (cells) => {
        const bytes = dataRow(cells.map((cell) => (cell === null ? null : Buffer.from(cell))));
        const pieces = [...largeRow(bytes, 0, bytes.length, PLAIN).texts()];
        expect(pieces.join('') === renderRow(cells)).toBe(true);
        for (const piece of pieces) expect(piece.length).toBeLessThanOrEqual(4 * 32 * 1024);
      }),
      { numRuns: 150 },
    );
  });

  it('is recorded byte for byte, whatever its bytes are', () => {
    fc.assert(
      fc.property(fc.array(fc.option(anyBytes), { maxLength: 4 }), (cells) => {
        const bytes = dataRow(cells);
        const whole = new RowText();
        whole.addRow(bytes, 0, bytes.length, PLAIN);
        const row = largeRow(bytes, 0, bytes.length, PLAIN);
        const pieces = Array.from(row.contents(), (piece) => Buffer.from(piece));
        expect(Buffer.concat(pieces).equals(whole.view())).toBe(true);
      }),
      { numRuns: 150 },
    );
  });

  it('of binary values is the text that they are printed as, where that is read byte by byte too', () => {
    const shape = { columns: undefined, formats: [1] };
    fc.assert(
      fc.property(fc.array(anyBytes, { minLength: 1, maxLength: 3 }), (cells) => {
        const bytes = dataRow(cells);
        const whole = new RowText();
        whole.addRow(bytes, 0, bytes.length, shape);
        const row = largeRow(bytes, 0, bytes.length, shape);
        expect([...row.texts()].join('') === whole.view().toString()).toBe(true);
        const pieces = Array.from(row.contents(), (piece) => Buffer.from(piece));
        expect(Buffer.concat(pieces).equals(whole.view())).toBe(true);
      }),
      { numRuns: 100 },
    );
  });

  it('of COPY data is those data', () => {
    const bytes = message('d', Buffer.from(`${'é\\t日本'.repeat(30_000)}\n`));
    const row = largeRow(bytes, 0, bytes.length, 'text');
    expect([...row.texts()].join('') === bytes.subarray(5).toString()).toBe(true);
    expect(Buffer.concat([...row.contents()]).equals(bytes.subarray(5))).toBe(true);
    expect([row.isUtf8, row.endsLine]).toEqual([true, true]);
  });

  it('is told from one that is no UTF-8', () => {
    const bytes = dataRow([Buffer.from('é'.repeat(40_000)), Buffer.of(0xc3)]);
    expect(largeRow(bytes, 0, bytes.length, PLAIN).isUtf8).toBe(false);
  });
});
