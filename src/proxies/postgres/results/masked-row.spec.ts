import * as fc from '../../../../test/support/fast-check';
import { applied } from '../../../../test/support/screening';
import { cellsOf } from '../../../../test/support/wire-client';
import type { Mask } from '../../../gate/ports/guardrails';
import { renderCell, renderRow, unescapeCell } from '../../../kernel/text/tabular-text';
import { UnreadableCell } from '../binary/cell-text';
import { BUILT_IN_TYPES } from '../binary/built-in-types';
import { UnknownType } from '../binary/print-value';
import type { TypeEntry } from '../binary/type-entry';
import { styleOf } from '../binary/style';
import { atOnce } from '../../../kernel/async/time-slice';
import { MaskColumns } from '../../../gate/mask-columns';
import { type HeldRow, masking } from './masked-row';
import { int32, message } from '../wire/message';
import { PLAIN } from '../pipeline/row-text';

/** Returns the row message with its masks, or the value that cannot be masked. */
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
              // Masks begin and end between characters, like hits.
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
    // Masks begin and end near the ends of the cell's pieces, also inside an escape, but not in a surrogate
    // pair.
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

  describe('of typed columns', () => {
    const RECORD = 90_001;
    const types = new Map<number, TypeEntry>([
      ...BUILT_IN_TYPES,
      [90_000, { name: 'hstore', send: 'hstore_send', delimiter: ',' }],
      [RECORD, { name: 'pair', send: 'record_send', delimiter: ',', fields: [20, 25, 1009] }],
      [90_002, { name: 'pair[]', send: 'array_send', delimiter: ',', of: RECORD }],
    ]);
    const printing = {
      types: { find: (oid: number) => types.get(oid), money: undefined },
      style: styleOf(new Map()),
      isStrict: true,
    };
    const typed = (type: number, value: string, hits: readonly string[]) => {
      const bytes = dataRow([value]);
      const columns = [{ name: 'a', table: 0, attribute: 0, type, isBinary: false }];
      const text = renderCell(value);
      const masks = hits.map((hit) => mask(text.indexOf(hit), text.indexOf(hit) + hit.length));
      const row = { bytes, start: 0, end: bytes.length, from: 0, shape: { columns, formats: [0], printing } };
      const changed = masked(row, masks);
      if (changed instanceof UnreadableCell) return changed.reason;
      return cellsOf({ type: 'D', body: changed.subarray(5) }).map(String)[0];
    };

    it.each<[string, number, string, string[], string]>([
      ['text', 25, 'a 4711', ['4711'], 'a ****'],
      ['varchar', 1043, '"{4711', ['"{4711'], '****'],
      ['an array of text', 1009, '{"a 4711",4711}', ['4711', '4711}'.slice(0, 4)], '{"a ****",4711}'],
      ['xml', 142, '<a b="4711">4711</a>', ['4711'], '<a b="****">4711</a>'],
      ['hstore', 90_000, '"a"=>"4711", "b"=>NULL', ['4711'], '"a"=>"****", "b"=>NULL'],
      ['a composite', RECORD, '(1,"a, 4711","{""x"",y}")', ['4711', 'y'], '(1,"a, ****","{""x"",****}")'],
      ['a name of a table', 2205, 'app.t4711', ['4711'], 'app.t****'],
      ['a tsvector', 3614, `'a4711':1 'b':2`, ['4711'], `'a****':1 'b':2`],
      ['a record without a name', 2249, '(4711,a)', ['4711'], '(****,a)'],
    ])('is a value of %s', (_, type, value, hits, expected) => {
      expect(typed(type, value, [...new Set(hits)])).toBe(expected);
    });

    it.each<[string, number, string, string[]]>([
      ['int8', 20, '4711', ['4711']],
      ['part of a number', 20, '14711', ['4711']],
      ['numeric', 1700, '4711.00', ['4711']],
      ['float8', 701, '4711e+15', ['4711']],
      ['a timestamp', 1114, '2020-01-02 10:11:12', ['2020']],
      ['a uuid', 2950, '47114711-4711-4711-4711-471147114711', ['4711-4711']],
      ['bytea', 17, String.raw`\x34373131`, ['34373131']],
      ['a range', 3926, '[4711,4712)', ['4711']],
      ['an array of numbers', 1016, '{1,4711}', ['4711']],
      ['an array of JSON', 199, '{"{\\"a\\":4711}"}', ['4711']],
      ['a quote of a lexeme', 3614, `'a':1 'b':2`, [`'a`]],
      ['the border of two elements', 1009, '{ab,cd}', ['b,c']],
      ['a quote of an element', 1009, '{"a b",c}', ['"a b']],
      ['a tag', 142, '<a>x</a>', ['a>x']],
      ['the border of key and value', 90_000, '"a"=>"b"', ['a"=>"b']],
      ['a number of a composite', RECORD, '(4711,"a, b",{})', ['4711']],
      ['a field that is no longer there', RECORD, '(1,"a, b",{},x)', ['x']],
      ['a quote of a composite', RECORD, '(1,"a, b",{})', ['"a']],
      ['an array in a composite', RECORD, '(1,a,"{""x"",y}")', ['x"",y']],
      ['an array of composites', 90_002, '{"(1,a,{})"}', ['a']],
    ])('is refused where it would be none: %s', (_, type, value, hits) => {
      expect(typed(type, value, hits)).toMatch(/would be no value of that type; cast it to text/);
    });

    it('asks for a type that is not known, where a mask applies to it', () => {
      expect(() => typed(90_099, 'abc', ['b'])).toThrow(new UnknownType(90_099));
      expect(typed(90_099, 'abc', [])).toBe('abc');
    });
  });

  it('of COPY is the text with the masks applied', () => {
    const bytes = message('d', Buffer.from('ü\\tsecret\n'));
    const row = { bytes, start: 0, end: bytes.length, from: 10, shape: 'text' } as const;
    expect(masked(row, [mask(13, 19)])).toEqual(message('d', Buffer.from('ü\\t****\n')));
  });
});
