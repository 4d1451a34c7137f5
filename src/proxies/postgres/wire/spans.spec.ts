import * as fc from '../../../../test/support/fast-check';
import { Spans } from './spans';

describe('spans', () => {
  const pieces = fc.array(fc.record({ buffer: fc.nat(2), start: fc.nat(9), length: fc.nat(9) }), {
    maxLength: 30,
  });

  it('are the bytes that were added, in order', () => {
    const buffers = ['abcdefghijklmnopqr', 'ABCDEFGHIJKLMNOPQR', '012345678901234567'].map((text) =>
      Buffer.from(text),
    );
    fc.assert(
      fc.property(pieces, (list) => {
        const spans = new Spans();
        const expected = list.map(({ buffer, start, length }) => {
          spans.add(buffers[buffer] as Buffer, start, start + length);
          return (buffers[buffer] as Buffer).subarray(start, start + length);
        });
        expect(spans.isEmpty).toBe(list.length === 0);
        expect(Buffer.concat(spans.takePieces()).toString()).toBe(Buffer.concat(expected).toString());
        expect([spans.isEmpty, spans.takePieces()]).toEqual([true, []]);
      }),
    );
  });

  it('are one piece for neighbours, and the very buffer for all of it', () => {
    const bytes = Buffer.from('abcdef');
    const spans = new Spans();
    for (let at = 0; at < 6; at += 2) spans.add(bytes, at, at + 2);
    const taken = spans.takePieces();
    expect(taken).toHaveLength(1);
    expect(taken[0]).toBe(bytes);
    spans.add(bytes, 0, 2);
    spans.add(bytes, 4, 6);
    expect(spans.takePieces().map(String)).toEqual(['ab', 'ef']);
  });
});
