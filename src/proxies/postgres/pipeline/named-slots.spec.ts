import * as fc from '../../../../test/support/fast-check';
import { NamedSlots } from './named-slots';

const name = fc.constantFrom('', 'a', 'b', 'c');

describe('named slots', () => {
  it('hold what a Map would hold', () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant('set' as const), name, value: fc.nat(9) }),
      fc.record({ kind: fc.constantFrom('delete' as const, 'clear' as const), name, value: fc.constant(0) }),
    );
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const [slots, map] = [new NamedSlots<number>(), new Map<string, number>()];
        for (const { kind, name: at, value } of steps) {
          if (kind === 'set') slots.set(at, value);
          else slots[kind](at);
          if (kind === 'set') map.set(at, value);
          else map[kind](at);
          for (const each of ['', 'a', 'b', 'c']) expect(slots.get(each)).toBe(map.get(each));
          expect(slots.namedCount).toBe(map.size - (map.has('') ? 1 : 0));
        }
      }),
    );
  });

  it('lose the value with a name that was set first, never the unnamed one', () => {
    const slots = new NamedSlots<number>();
    for (const [at, each] of ['', 'a', 'b'].entries()) slots.set(each, at);
    slots.deleteOldestNamed();
    expect(['', 'a', 'b'].map((each) => slots.get(each))).toEqual([0, undefined, 2]);
  });
});
