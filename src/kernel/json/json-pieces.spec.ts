import * as fc from '../../../test/support/fast-check';
import { isLargeJson, jsonPieces } from './json-pieces';

const whole = (value: object): string => [...jsonPieces(value)].join('');

/**
 * Length of the longest possible piece: up to 64 Ki characters, and one more part of 64 Ki characters that
 * are all written as escapes of six characters.
 */
const LONGEST = (1 + 6) * 64 * 1024;

const LONG = fc
  .tuple(fc.string({ unit: 'binary', minLength: 1 }), fc.integer({ min: 1, max: 90_000 }))
  .map(([text, times]) => text.repeat(Math.ceil(times / text.length)));

describe('JSON in pieces', () => {
  it('is what JSON.stringify writes', () => {
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom(null, undefined, true, Number.NaN, -0, 1e300, new Date(0), () => 1, Symbol('s')),
        fc.string({ unit: 'binary' }),
        LONG,
        fc.array(tie('value')),
        fc.dictionary(fc.string({ unit: 'binary' }), tie('value')),
      ),
    }));
    fc.assert(
      fc.property(fc.array(value), (values) => {
        expect(whole(values)).toBe(JSON.stringify(values));
        expect(whole({ values, last: 1 })).toBe(JSON.stringify({ values, last: 1 }));
      }),
      {
        numRuns: 200,
        examples: [
          [[{ toJSON: () => [1] }]],
          [[{ toJSON: 1, ['__proto__']: undefined }]],
          [['\ud800', { '\udc00': '\uFFFD' }, '']],
          [[Number.POSITIVE_INFINITY, -0, Object.create(null)]],
        ],
      },
    );
  });

  const TEXT = 'line\n'.repeat(400_000);
  it.each<[string, object]>([
    ['many items', Array.from({ length: 100_000 }, (_, id) => ({ id, name: 'a name' }))],
    ['a long text', { data: { text: TEXT }, undefined: undefined }],
    ['a long text of wide characters', [`x${'\u{1F4A9}'.repeat(500_000)}`]],
    ['a long text of halves of characters', ['\ud83d'.repeat(300_000), '\ude00'.repeat(300_000)]],
    ['many fields', Object.fromEntries(Array.from({ length: 50_000 }, (_, n) => [`field ${n}`, n]))],
    ['large items', [{ text: TEXT }, { text: TEXT }]],
    [
      'long names',
      Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`${n}${'n'.repeat(9_000)}`, n])),
    ],
  ])('is cut where it has %s', (_, value) => {
    expect(isLargeJson(value)).toBe(true);
    const pieces = [...jsonPieces(value)];
    expect(pieces.length).toBeGreaterThan(4);
    expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThanOrEqual(LONGEST);
    expect(pieces.join('')).toBe(JSON.stringify(value));
  });

  it('leaves what is small as it is', () => {
    expect(
      isLargeJson({ id: 1, items: Array.from({ length: 100 }, () => ({ name: 'x'.repeat(100) })) }),
    ).toBe(false);
    expect([isLargeJson(undefined), isLargeJson(null), isLargeJson('x'), isLargeJson(new Date())]).toEqual(
      Array(4).fill(false),
    );
  });
});
