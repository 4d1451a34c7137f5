import { Readable } from 'node:stream';
import { setImmediate as othersTurn } from 'node:timers/promises';
import * as fc from '../../../test/support/fast-check';
import { joinSmallPieces } from './small-pieces';

/** A stream that gets its data by `push`, as the channels of the driver. */
const stream = (): Readable => {
  const created = new Readable({ highWaterMark: 2 * 1024 * 1024, read: () => undefined });
  joinSmallPieces(created);
  return created;
};
/** Reads to the end. Returns the pieces. */
const piecesOf = async (from: Readable): Promise<Buffer[]> => {
  const pieces: Buffer[] = [];
  for await (const piece of from) pieces.push(piece as Buffer);
  return pieces;
};

describe('the pieces of a stream', () => {
  it('are few, however small those are that arrive while nobody reads', async () => {
    const from = stream();
    let pieces = 0;
    const bytes = 300_000;
    for (let index = 0; index < bytes; index += 1) {
      from.push(Buffer.from([index % 251]));
      // A chunk of the socket has some thousand of the smallest messages.
      if (index % 1_000 === 0) await othersTurn();
    }
    from.push(null);
    from.on('data', () => (pieces += 1));
    const all = Buffer.concat(await from.toArray());
    expect(all.every((byte, index) => byte === index % 251)).toBe(true);
    expect(all.length).toBe(bytes);
    // 64 KiB arrive as they are, before the reader is slow.
    expect(pieces).toBeLessThan(64 * 1024 + 2 * (bytes / 1_000) + 10);
  });

  it('arrive at once while somebody reads', () => {
    const from = stream();
    const seen: string[] = [];
    from.on('data', (piece: Buffer) => seen.push(piece.toString()));
    return new Promise<void>((resolve) => {
      setImmediate(() => {
        from.push(Buffer.from('a'));
        from.push(Buffer.from('b'));
        expect(seen).toEqual(['a', 'b']);
        resolve();
      });
    });
  });

  it('have all bytes in order, whatever their sizes are and whenever they are read', async () => {
    const step = fc.oneof(
      fc.integer({ min: 1, max: 5 }).map((size) => ({ size })),
      fc.constantFrom(4_095, 4_096, 4_097, 70_000).map((size) => ({ size })),
      fc.constantFrom({ waits: true }, { reads: true }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const from = stream();
        const sent: Buffer[] = [];
        const read: Buffer[] = [];
        for (const each of steps) {
          if ('size' in each) {
            const piece = Buffer.alloc(each.size, sent.length % 251);
            sent.push(piece);
            from.push(piece);
          } else if ('reads' in each) read.push((from.read() as Buffer | null) ?? Buffer.alloc(0));
          else await othersTurn();
        }
        from.push(null);
        read.push(...(await piecesOf(from)));
        expect(Buffer.concat(read).equals(Buffer.concat(sent))).toBe(true);
      }),
    );
  });
});
