import * as fc from '../../../test/support/fast-check';
import { IdentificationReader } from './server-socket';

/** Gives the bytes in pieces, and returns what the reader found. */
function readIn(pieces: readonly Buffer[]): string | undefined {
  const reader = new IdentificationReader();
  for (const [index, piece] of pieces.entries()) {
    const found = reader.push(piece);
    if (found !== undefined) return Buffer.concat([found, ...pieces.slice(index + 1)]).toString('latin1');
  }
  return undefined;
}

function cutAt(bytes: Buffer, places: readonly number[]): Buffer[] {
  const ends = [...new Set(places.map((place) => place % (bytes.length + 1)))].toSorted((a, b) => a - b);
  return [...ends, bytes.length].map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end));
}

describe('the identification of a server', () => {
  it('is found behind other lines, however the bytes are cut, with all that follows', () => {
    const line = fc
      .string({ maxLength: 30 })
      .filter((text) => !text.includes('\n') && !text.startsWith('SSH-'));
    const rest = fc.uint8Array({ maxLength: 30 });
    fc.assert(
      fc.property(
        fc.array(line, { maxLength: 5 }),
        rest,
        fc.array(fc.nat(), { maxLength: 8 }),
        (before, after, cuts) => {
          const name = 'SSH-2.0-OpenSSH_9.2\r\n';
          const found = Buffer.concat([Buffer.from(name), after]);
          const bytes = Buffer.concat([Buffer.from(before.map((text) => `${text}\n`).join('')), found]);
          expect(readIn(cutAt(bytes, cuts))).toBe(found.toString('latin1'));
        },
      ),
    );
  });

  it('may be that of a server for both versions', () => {
    expect(readIn([Buffer.from('SSH-1.99-x\n')])).toBe('SSH-1.99-x\n');
  });

  it('is not found in a line that is not complete', () => {
    expect(readIn([Buffer.from('SSH-2.0-x')])).toBeUndefined();
    expect(readIn([Buffer.from(' SSH-2.0-x\n')])).toBeUndefined();
  });

  it('ends at version 1, and after 64 KiB', () => {
    expect(() => readIn([Buffer.from('SSH-1.5-x\n')])).toThrow('version 1');
    const lines = Array.from({ length: 100 }, () => Buffer.from(`${'x'.repeat(1_000)}\n`));
    expect(() => readIn(lines)).toThrow('not the SSH protocol');
    expect(() => readIn([Buffer.alloc(70_000, 'x')])).toThrow('not the SSH protocol');
  });
});
