import { deflateRawSync } from 'node:zlib';
import * as fc from '../../../test/support/fast-check';
import { type EventPiece, decodePieces, encodePieces } from './event-codec';

const kind = fc.constantFrom<Pick<EventPiece, 'type' | 'values'>>(
  { type: 'i' },
  { type: 'i', values: true },
  { type: 'o' },
  { type: 'e' },
);

const pieceOfKind = fc.record({
  time: fc.double({ noNaN: true }),
  content: fc
    .tuple(fc.uint8Array({ maxLength: 300 }), fc.constantFrom(1, 1, 1, 200))
    .map(([bytes, times]) => Buffer.concat(Array.from({ length: times }, () => bytes))),
  ends: fc.boolean(),
});

const piece: fc.Arbitrary<EventPiece> = fc
  .tuple(kind, pieceOfKind)
  .map(([one, rest]) => ({ ...one, ...rest }));

describe('the codec of recorded events', () => {
  it('gives back exactly what it was given', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(piece), async (pieces) => {
        expect(await decodePieces(await encodePieces(pieces))).toEqual(pieces);
      }),
    );
  });

  it('refuses a payload that ends inside a piece', async () => {
    await fc.assert(
      fc.asyncProperty(piece, fc.nat(), async (whole, cut) => {
        const bytes = Buffer.concat([Buffer.alloc(13), whole.content, Buffer.of(0)]);
        bytes.write('o', 8);
        bytes.writeUInt32LE(whole.content.length + 1, 9);
        const torn = deflateRawSync(bytes.subarray(0, 1 + (cut % (bytes.length - 1))));
        await expect(decodePieces(torn)).rejects.toThrow('a recorded chunk is truncated');
      }),
    );
  });

  it('refuses an unknown type, and bytes that are not a payload', async () => {
    await expect(decodePieces(deflateRawSync(Buffer.alloc(13)))).rejects.toThrow(
      'a recorded chunk has an unknown type of event',
    );
    await expect(decodePieces(Buffer.from('no payload'))).rejects.toThrow('invalid');
  });
});
