import * as fc from '../../../test/support/fast-check';
import { piecesOf } from './pieces';

describe('pieces of a text', () => {
  it('are the text, none is too long, none is empty, and no character is cut', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 200 }),
        fc.integer({ min: 2, max: 50 }),
        (text, length) => {
          const pieces = piecesOf(text, length);
          expect(pieces.join('')).toBe(text);
          for (const piece of pieces) {
            expect(piece.length).toBeGreaterThan(0);
            expect(piece.length).toBeLessThanOrEqual(length);
            expect(/\p{Surrogate}/u.test(piece)).toBe(false);
          }
        },
      ),
    );
  });
});
