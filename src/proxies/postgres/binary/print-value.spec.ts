import { int32 } from '../wire/message';
import { BUILT_IN_TYPES } from './built-in-types';
import { Unprintable } from '../wire/cursor';
import { type Printing, printInSteps, printValue } from './print-value';
import { styleOf } from './style';

const types = {
  find: (oid: number) => BUILT_IN_TYPES.get(oid),
  money: undefined,
} as unknown as Printing['types'];
const printing: Printing = { types, style: styleOf(new Map()) };
const INT4_ARRAY = 1007;
const TEXT_ARRAY = 1009;
const INT4 = 23;
const TEXT = 25;

/**
 * Encodes an array as the server does. binary-types.e2e-spec.ts compares printed arrays with the server's.
 */
function array(type: number, sizes: readonly number[], values: readonly Buffer[]): Buffer {
  const heads = sizes.flatMap((size) => [int32(size), int32(1)]);
  const elements = values.flatMap((value) => [int32(value.length), value]);
  return Buffer.concat([int32(sizes.length), int32(0), int32(type), ...heads, ...elements]);
}

describe('bits in binary form', () => {
  const VARBIT = 1562;

  it('are printed, and refused before they are printed when their text would be too large', () => {
    expect(
      printValue(VARBIT, Buffer.concat([int32(11), Buffer.from([0b1010_0110, 0b1100_0000])]), printing),
    ).toBe('10100110110');
    const large = Buffer.concat([int32(100_000_000), Buffer.alloc(12_500_000, 0xff)]);
    expect(() => printValue(VARBIT, large, printing)).toThrow(Unprintable);
  });
});

describe('a long value in binary form', () => {
  const COUNT = 100_000;
  const numbers = Array.from({ length: COUNT }, (_, index) => index);

  it.each([
    ['numbers', INT4_ARRAY, array(INT4, [COUNT], numbers.map(int32)), `{${numbers.join(',')}}`],
    [
      'texts',
      TEXT_ARRAY,
      array(
        TEXT,
        [COUNT],
        numbers.map((one) => Buffer.from(`${one} "`)),
      ),
      `{${numbers.map((one) => `"${one} \\""`).join(',')}}`,
    ],
    [
      'rows of two',
      INT4_ARRAY,
      array(INT4, [COUNT / 2, 2], numbers.map(int32)),
      `{${Array.from({ length: COUNT / 2 }, (_, row) => `{${2 * row},${2 * row + 1}}`).join(',')}}`,
    ],
  ])('is printed in many small steps, and the same as at once: %s', (_, oid, bytes, expected) => {
    const steps = printInSteps(oid, bytes, printing);
    let count = 0;
    let step = steps.next();
    for (; step.done !== true; step = steps.next()) count += 1;
    expect(count).toBeGreaterThan(COUNT / 100);
    expect(step.value === expected).toBe(true);
    expect(printValue(oid, bytes, printing) === expected).toBe(true);
  });

  it.each([
    ['fewer elements than it says', array(INT4, [3], [int32(1), int32(2)])],
    ['more', array(INT4, [1], [int32(1), int32(2)])],
    ['a size below 0', array(INT4, [-1, -1], [int32(1)])],
    ['some, and says that there are none', array(INT4, [], [int32(1)])],
    [
      'too much text',
      array(
        TEXT,
        [3],
        Array.from({ length: 3 }, () => Buffer.alloc(7_000_000, 'x')),
      ),
    ],
  ])('is not printed where it has %s', (_, bytes) => {
    expect(() => printValue(INT4_ARRAY, bytes, printing)).toThrow(Unprintable);
  });
});
