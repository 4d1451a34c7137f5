import * as fc from '../../../../test/support/fast-check';
import { message } from './message';
import { MessageReader, ProtocolFault } from './message-reader';

const MIB = 1024 * 1024;

const sizes = fc.oneof(fc.nat(12), fc.nat(300));
const messages = fc.array(fc.record({ type: fc.constantFrom('D', 'd', 'C', 'Z'), size: sizes }), {
  maxLength: 12,
});
const cuts = fc.array(fc.nat(), { maxLength: 20 });

function cut(bytes: Buffer, at: readonly number[]): Buffer[] {
  const places = [0, ...at.map((place) => place % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  return places.slice(1).map((end, index) => bytes.subarray(places[index], end));
}

/**
 * Returns the messages that a reader finds in the chunks. The pieces of a message are joined.
 * @param atOnce number of chunks that are pushed before messages are read
 */
function read(chunks: readonly Buffer[], passes: (type: number) => boolean, atOnce = 1): string[] {
  const reader = new MessageReader({ passes, maxGathered: 1_000 });
  const found: string[] = [];
  for (const [index, chunk] of chunks.entries()) {
    reader.push(chunk);
    if ((index + 1) % atOnce > 0 && index + 1 < chunks.length) continue;
    while (reader.next()) {
      const piece = reader.bytes.toString('latin1', reader.start, reader.end);
      if (reader.begins) found.push(piece);
      else found.push((found.pop() ?? '') + piece);
      expect(reader.type).toBe(found.at(-1)?.charCodeAt(0));
    }
  }
  expect(reader.unread).toBe(0);
  return found;
}

describe('a reader of messages', () => {
  const made = (list: readonly { type: string; size: number }[]) =>
    list.map(({ type, size }, index) => message(type, Buffer.alloc(size, index + 1)));

  it('finds the same messages wherever the bytes are cut, gathered or in passing', () => {
    fc.assert(
      fc.property(
        messages,
        cuts,
        fc.boolean(),
        fc.integer({ min: 1, max: 5 }),
        (list, at, isPassing, atOnce) => {
          const bytes = Buffer.concat(made(list));
          const found = read(cut(bytes, at), (type) => isPassing && type === 0x64, atOnce);
          expect(found).toEqual(made(list).map((one) => one.toString('latin1')));
        },
      ),
    );
  });

  it('leaves a message where it is while more comes, until it is asked for the next', () => {
    fc.assert(
      fc.property(messages, cuts, (list, at) => {
        const reader = new MessageReader({ passes: () => false, maxGathered: 1_000 });
        const found: string[] = [];
        const shown = (): string => reader.bytes.toString('latin1', reader.start, reader.end);
        // Each chunk arrives while the last message of the previous chunk is still in use.
        for (const chunk of cut(Buffer.concat(made(list)), at)) {
          const before = shown();
          reader.push(chunk);
          expect(shown()).toBe(before);
          while (reader.next()) found.push(shown());
        }
        expect(found).toEqual(made(list).map((one) => one.toString('latin1')));
      }),
    );
  });

  it('finds them byte by byte', () => {
    const all = made([
      { type: 'D', size: 0 },
      { type: 'd', size: 7 },
      { type: 'Z', size: 1 },
    ]);
    for (const isPassing of [true, false]) {
      const found = read(cut(Buffer.concat(all), [...Buffer.concat(all).keys()]), () => isPassing);
      expect(found).toEqual(all.map((one) => one.toString('latin1')));
    }
  });

  it('finds them though it changes its mind about what passes', () => {
    fc.assert(
      fc.property(messages, cuts, fc.array(fc.boolean(), { minLength: 1 }), (list, at, minds) => {
        let asked = 0;
        const mind = (): boolean => minds[asked++ % minds.length] ?? false;
        const found = read(cut(Buffer.concat(made(list)), at), mind);
        expect(found).toEqual(made(list).map((one) => one.toString('latin1')));
      }),
    );
  });

  it('copies nothing that came whole', () => {
    const chunk = Buffer.concat(
      made([
        { type: 'D', size: 3 },
        { type: 'D', size: 4 },
      ]),
    );
    const reader = new MessageReader({ passes: () => false, maxGathered: 10 });
    reader.push(chunk);
    while (reader.next()) expect(reader.bytes).toBe(chunk);
    expect(reader.end).toBe(chunk.length);
  });

  it('puts a large message together as it comes, in the room that it is given once a megabyte is there', () => {
    const sent = Buffer.concat([
      message('Z', Buffer.alloc(3)),
      message('D', Buffer.alloc(5 * MIB, 'large')),
      message('D', Buffer.alloc(2 * MIB, 'another')),
      message('Z', Buffer.alloc(4)),
    ]);
    for (const size of [64 * 1024, 100_003, 3 * MIB, sent.length]) {
      const rooms: { room: Buffer; after: number }[] = [];
      let pushed = 0;
      const room = (bytes: number): Buffer => {
        const made = Buffer.alloc(bytes);
        rooms.push({ room: made, after: pushed });
        return made;
      };
      const reader = new MessageReader({ passes: () => false, maxGathered: 10 * MIB, room });
      const found: Buffer[] = [];
      for (let at = 0; at < sent.length; at += size) {
        const chunk = Buffer.from(sent.subarray(at, at + size));
        pushed += chunk.length;
        reader.push(chunk);
        while (reader.next()) found.push(reader.bytes.subarray(reader.start, reader.end));
        expect(reader.unread).toBe(pushed - found.reduce((sum, { length }) => sum + length, 0));
      }
      expect(found.map(({ length }) => length)).toEqual([8, 5 * MIB + 5, 2 * MIB + 5, 9]);
      expect(Buffer.concat(found).equals(sent)).toBe(true);
      if (size > 100_003) continue;
      expect(rooms.map((one) => one.room.length)).toEqual([5 * MIB + 5, 2 * MIB + 5]);
      expect(rooms[0]?.after).toBeGreaterThanOrEqual(MIB);
      expect(rooms[0]?.after).toBeLessThan(MIB + 2 * size);
    }
  });

  it.each([
    ['a length that leaves no room for itself', [0x44, 0, 0, 0, 3], 'invalid message length'],
    ['a length of nothing', [0x64, 0, 0, 0, 0], 'invalid message length'],
    ['a length beyond what is gathered', [0x44, 0, 0, 0x10, 0], 'larger than'],
    ['a negative length', [0x44, 0xff, 0xff, 0xff, 0xff], 'larger than'],
  ])('refuses %s at once', (_, bytes, reason) => {
    const reader = new MessageReader({ passes: (type) => type === 0x64, maxGathered: 100 });
    reader.push(Buffer.from(bytes));
    expect(() => reader.next()).toThrow(ProtocolFault);
    expect(() => reader.next()).toThrow(reason);
  });

  it('lets by what is longer than it would gather', () => {
    const reader = new MessageReader({ passes: () => true, maxGathered: 1 });
    reader.push(message('d', Buffer.alloc(50)));
    expect([reader.next(), reader.begins, reader.end - reader.start, reader.next()]).toEqual([
      true,
      true,
      55,
      false,
    ]);
  });
});
