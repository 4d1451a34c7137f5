import * as fc from '../../../test/support/fast-check';
import { TargetFault } from './postgres-faults';
import { StartUpMessages } from './start-up-messages';

const body = fc.uint8Array({ maxLength: 40 });
const message = fc
  .tuple(fc.constantFrom(...'RSKNE'), body)
  .map(([type, bytes]) => framed(type, Buffer.from(bytes)));
const READY = framed('Z', Buffer.from('I'));

function framed(type: string, bytes: Buffer): Buffer {
  const head = Buffer.from(`${type}    `);
  head.writeUInt32BE(bytes.length + 4, 1);
  return Buffer.concat([head, bytes]);
}

/** Pushes pieces up to ReadyForQuery. `rest` has all bytes after it, including pieces not pushed. */
function read(pieces: Buffer[]): { messages: Buffer[]; rest: Buffer | undefined } {
  const messages: Buffer[] = [];
  const reader = new StartUpMessages((one) => void messages.push(Buffer.from(one)));
  for (const [index, piece] of pieces.entries()) {
    const rest = reader.push(piece);
    if (rest !== undefined) return { messages, rest: Buffer.concat([rest, ...pieces.slice(index + 1)]) };
  }
  return { messages, rest: undefined };
}

describe('what a server says at start-up', () => {
  it('is the same messages and the same rest, however it is cut', () => {
    fc.assert(
      fc.property(
        fc.array(message, { maxLength: 8 }),
        body,
        fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1 }),
        (messages, behind, sizes) => {
          const all = Buffer.concat([...messages, READY, behind]);
          const pieces: Buffer[] = [];
          for (let at = 0, n = 0; at < all.length; n++) {
            const size = sizes[n % sizes.length] ?? 1;
            pieces.push(all.subarray(at, at + size));
            at += size;
          }
          expect(read(pieces)).toEqual({ messages: [...messages, READY], rest: Buffer.from(behind) });
        },
      ),
    );
  });

  it('is refused, and nothing worse, when it is anything else', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 60 }), { maxLength: 20 }), (pieces) => {
        try {
          read(pieces.map((piece) => Buffer.from(piece)));
        } catch (error) {
          expect(error).toBeInstanceOf(TargetFault);
        }
      }),
    );
  });

  it('is not gathered beyond its bounds: neither one message nor all of them', () => {
    const huge = Buffer.from('S\0\x04\0\x01');
    expect(() => read([huge])).toThrow(TargetFault);
    const endless = framed('S', Buffer.alloc(10_000));
    expect(() => read(Array.from({ length: 26 }, () => endless))).not.toThrow();
    expect(() => read(Array.from({ length: 27 }, () => endless))).toThrow(TargetFault);
  });
});
