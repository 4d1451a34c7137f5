import { PIECE_LENGTH, partsOfEvent } from './event-parts';

const bytesOf = (content: Buffer): Buffer[] =>
  partsOfEvent({ type: 'o', content }).map((part) => part.content as Buffer);

describe('the events of long output', () => {
  // promises: READ-16
  it.each(['ü', '漢', '😀'])('end between characters, where %s is on the border', (sign) => {
    for (let before = 0; before <= Buffer.byteLength(sign); before++) {
      const text = `${'x'.repeat(PIECE_LENGTH - before)}${sign.repeat(PIECE_LENGTH)}`;
      const parts = bytesOf(Buffer.from(text));
      expect(parts.map((part) => part.toString()).join('') === text).toBe(true);
      expect(Math.max(...parts.map(({ length }) => length))).toBeLessThanOrEqual(PIECE_LENGTH);
    }
  });

  it.each([0x00, 0x80, 0xbf, 0xc3, 0xf0, 0xff])('have all bytes of output that is %i alone', (byte) => {
    const bytes = Buffer.alloc(3 * PIECE_LENGTH + 1, byte);
    const parts = bytesOf(bytes);
    expect(parts).toHaveLength(4);
    expect(Buffer.concat(parts).equals(bytes)).toBe(true);
  });
});
