import * as fc from '../../../test/support/fast-check';
import { parseRow, renderRow } from './tabular-text';

const cell = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('', '\\N', '\\', '\t', '\n', '\r', '\b', '\f', '\v', '\\t', '\\.', 'a\\\tb', '\uFFFD'),
);

describe('tabular text', () => {
  it('can be taken apart again, whatever is in the cells', () => {
    fc.assert(
      fc.property(fc.array(cell, { minLength: 1 }), (cells) => {
        const line = renderRow(cells);
        expect(line.indexOf('\n')).toBe(line.length - 1);
        expect(parseRow(line.slice(0, -1))).toEqual(cells);
      }),
    );
  });

  it('tells NULL from every text', () => {
    expect(renderRow([null, '', '\\N'])).toBe('\\N\t\t\\\\N\n');
    expect(parseRow('\\N\t\t\\\\N')).toEqual(['', '', '\\N']);
  });
});
