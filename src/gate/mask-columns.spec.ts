import * as fc from '../../test/support/fast-check';
import type { Mask } from './ports/guardrails';
import { MaskColumns } from './mask-columns';

/** Groups of masks. `gap` is the distance of a mask from the mask before it. */
const blocks = fc.array(
  fc.array(
    fc.record({
      gap: fc.nat(3),
      length: fc.integer({ min: 1, max: 4 }),
      replacement: fc.constantFrom('****', '****é', '****😀x'),
      ruleId: fc.constantFrom('1', '2'),
      label: fc.constantFrom('email', 'pattern_match'),
      bytes: fc.nat(9),
    }),
    { maxLength: 5 },
  ),
  { maxLength: 6 },
);

describe('masks as columns', () => {
  it('tell what a list of them would, from any place to any other', () => {
    fc.assert(
      fc.property(blocks, fc.nat(60), fc.nat(20), fc.nat(60), (made, from, length, forgotten) => {
        const columns = new MaskColumns();
        let list: Mask[] = [];
        let at = 0;
        for (const block of made) {
          const masks = block.map(({ gap, length: size, ...rest }) => {
            const start = at + gap;
            at = start + size;
            return { start, end: at, ...rest };
          });
          columns.add(masks);
          list.push(...masks);
        }
        const ask = (place: number) => ({
          between: columns.between(place, place + length),
          next: columns.nextStart(place),
        });
        const expected = (place: number) => ({
          between: list.filter(({ start, end }) => end > place && start < place + length),
          next: list.find(({ end }) => end > place)?.start ?? Infinity,
        });
        expect(ask(from)).toEqual(expected(from));
        columns.forgetUpTo(forgotten);
        list = list.filter(({ end }) => end > forgotten);
        expect(ask(Math.max(from, forgotten))).toEqual(expected(Math.max(from, forgotten)));
        if (list.length > 0) expect(columns.isEmpty).toBe(false);
      }),
      { numRuns: 1_000 },
    );
  });
});
