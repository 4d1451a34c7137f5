import * as fc from '../../../test/support/fast-check';
import { applied } from '../../../test/support/screening';
import { cellsOf } from '../../../test/support/wire-client';
import type { Mask } from '../../gate/ports/guardrails';
import { renderCell, renderRow, unescapeCell } from '../../kernel/tabular-text';
import { UnreadableCell } from './binary/cell-text';
import { BUILT_IN_TYPES } from './binary/built-in-types';
import { styleOf } from './binary/style';
import { atOnce } from '../../kernel/time-slice';
import { MaskColumns } from '../../gate/mask-columns';
import { type HeldRow, masking } from './masked-row';
import { int32, message } from './wire/message';
import { PLAIN } from './wire/row-text';

/** The message as it is delivered, or the value that cannot be masked. */
const masked = (row: HeldRow, masks: readonly Mask[]): Buffer | UnreadableCell => {
  const columns = new MaskColumns();
  columns.add(masks);
  const changed = atOnce(masking(row, columns));
  return changed instanceof UnreadableCell ? changed : Buffer.concat(changed);
};
const dataRow = (cells: readonly (string | null)[]): Buffer =>
  message(
    'D',
    Buffer.of(0, cells.length),
    ...cells.flatMap((value) =>
      value === null ? [int32(-1)] : [int32(Buffer.byteLength(value)), Buffer.from(value)],
    ),
  );
const rowOf = (cells: readonly (string | null)[], masks: readonly Mask[], from: number) => {
  const bytes = dataRow(cells);
  const changed = masked({ bytes, start: 0, end: bytes.length, from, shape: PLAIN }, masks);
  if (changed instanceof UnreadableCell) throw changed;
  expect(changed.readInt32BE(1)).toBe(changed.length - 1);
  return cellsOf({ type: 'D', body: changed.subarray(5) }).map((value) => value?.toString() ?? null);
};
const mask = (start: number, end: number): Mask => ({
  start,
  end,
  replacement: '****',
  ruleId: '1',
  label: 'word',
  bytes: end - start,
});

const cell = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.string({ unit: fc.constantFrom('é', '😀', '\uFFFD', '\\', '\t', '\n', 'N', 'a'), maxLength: 12 }),
);

describe('a masked row', () => {
  it('is what comes of masking its text and taking it apart again', () => {
    const spans = fc.array(fc.tuple(fc.nat(), fc.nat(5)), { maxLength: 4 });
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.option(cell), spans), { maxLength: 5 }),
        fc.nat(1000),
        (list, from) => {
          const masks: Mask[] = [];
          let at = from;
          const expected = list.map(([value, places]) => {
            const text = renderCell(value);
            const characters = value === null ? [] : Array.from(value).map((one) => renderCell(one));
            const mine: Mask[] = [];
            for (const [place, length] of places) {
              // Between characters, as hits are.
              const first = place % (characters.length + 1);
              const start = at + characters.slice(0, first).join('').length;
              const end = start + characters.slice(first, first + length).join('').length;
              if (end > start && start >= (mine.at(-1)?.end ?? at)) mine.push(mask(start, end));
            }
            masks.push(...mine);
            const local = mine.map((one) => ({ ...one, start: one.start - at, end: one.end - at }));
            at += text.length + 1;
            return local.length === 0 ? value : unescapeCell(applied(text, local));
          });
          fc.pre(list.length > 0);
          expect(
            rowOf(
              list.map(([value]) => value),
              masks,
              from,
            ),
          ).toEqual(expected);
        },
      ),
    );
  });

  it('is the same where a cell is so large that it is masked in pieces, wherever a mask meets their ends', () => {
    const step = 32 * 1024;
    const unit = fc.constantFrom('é', '日本', '😀', '\\', '\t', 'n', 'ab\\\\n');
    const large = fc
      .tuple(fc.nat(9), fc.array(unit, { minLength: 1, maxLength: 3 }))
      .map(([before, units]) => `${'.'.repeat(before)}${units.join('').repeat(15_000)}`);
    // Around the ends of pieces, inside of escapes too, but not inside of a pair of surrogates.
    const place = fc.tuple(fc.integer({ min: 0, max: 4 }), fc.integer({ min: -12, max: 12 }));
    const places = fc.array(fc.tuple(place, fc.constantFrom(1, 2, 7, step, 2 * step)), { maxLength: 6 });
    fc.assert(
      fc.property(large, places, fc.nat(1_000), (value, where, from) => {
        const text = renderCell(value);
        const isInside = (at: number): boolean => (text.charCodeAt(at) & 0xfc00) === 0xdc00;
        const masks: Mask[] = [];
        for (const [[pieces, by], length] of where.toSorted(
          (a, b) => a[0][0] - b[0][0] || a[0][1] - b[0][1],
        )) {
          let [start, end] = [pieces * step + by, pieces * step + by + length];
          if (isInside(start)) start -= 1;
          if (isInside(end)) end += 1;
          if (start < (masks.at(-1)?.end ?? 0) || end > text.length) continue;
          masks.push(mask(start, end));
        }
        const shown = unescapeCell(applied(text, masks));
        const moved = masks.map((one) => ({ ...one, start: one.start + from, end: one.end + from }));
        const [first, second] = rowOf([value, 'behind'], moved, from);
        expect(second).toBe('behind');
        expect(first === shown).toBe(true);
        const bytes = message('d', Buffer.from(text));
        const copied = masked({ bytes, start: 0, end: bytes.length, from, shape: 'text' }, moved) as Buffer;
        expect(copied.subarray(5).toString() === applied(text, masks)).toBe(true);
      }),
      { numRuns: 150 },
    );
  });

  it('counts as the stream does, in UTF-16 code units', () => {
    const text = renderRow(['😀é secret', 'ü secret']);
    const masks = [...text.matchAll(/secret/g)].map(({ index }) => mask(70 + index, 76 + index));
    expect(rowOf(['😀é secret', 'ü secret'], masks, 70)).toEqual(['😀é ****', 'ü ****']);
  });

  it('loses all of a hit that spans cells or rows, and keeps its cells', () => {
    expect(rowOf(['abc', null, 'def'], [mask(1, 8)], 0)).toEqual(['a****', '', 'ef']);
    expect(rowOf(['abc', 'def'], [mask(90, 102)], 100)).toEqual(['c', 'def']);
    expect(rowOf(['abc', 'def'], [mask(105, 120)], 100)).toEqual(['abc', 'd****']);
  });

  it('masks NULL where its text is a hit, and nothing beside it', () => {
    expect(rowOf([null, 'N'], [mask(0, 2)], 0)).toEqual(['****', 'N']);
    expect(rowOf([null, null], [mask(2, 3)], 0)).toEqual([null, null]);
  });

  it('cannot be made of binary values that are no text', () => {
    const printing = {
      types: { find: (oid: number) => BUILT_IN_TYPES.get(oid), money: undefined },
      style: styleOf(new Map()),
      isStrict: true,
    };
    const bytes = dataRow(['abcd', 'abcd']);
    const columns = [
      { name: 'a', table: 0, attribute: 0, type: 23, isBinary: true },
      { name: 'b', table: 0, attribute: 0, type: 25, isBinary: true },
    ];
    const row = { bytes, start: 0, end: bytes.length, from: 0, shape: { columns, formats: [1], printing } };
    const size = String(Buffer.from('abcd').readInt32BE()).length;
    expect(masked(row, [mask(0, 2)])).toMatchObject({ cell: 0, column: { name: 'a' } });
    const changed = masked(row, [mask(size + 1, size + 3)]);
    expect(cellsOf({ type: 'D', body: (changed as Buffer).subarray(5) }).map(String)).toEqual([
      'abcd',
      '****cd',
    ]);
  });

  it('of COPY is the text with the masks applied', () => {
    const bytes = message('d', Buffer.from('ü\\tsecret\n'));
    const row = { bytes, start: 0, end: bytes.length, from: 10, shape: 'text' } as const;
    expect(masked(row, [mask(13, 19)])).toEqual(message('d', Buffer.from('ü\\t****\n')));
  });
});
