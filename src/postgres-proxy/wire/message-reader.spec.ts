import * as fc from 'fast-check';
import { message } from './message';
import { MessageReader, ProtocolFault } from './message-reader';
import { COPY_DATA } from './types';

/** Everything the reader hands out, pushed in these pieces: whole messages, and bodies that pass by put together. */
function readAll(pieces: readonly Buffer[], maxGathered = 1_000): string[] {
  const reader = new MessageReader({ passes: (type) => type === COPY_DATA, maxGathered });
  const read: Buffer[] = [];
  for (const piece of pieces) {
    reader.push(piece);
    while (reader.next()) {
      const bytes = reader.bytes.subarray(reader.start, reader.end);
      if (reader.begins) read.push(bytes);
      else read.push(Buffer.concat([read.pop() ?? Buffer.alloc(0), bytes]));
    }
  }
  return read.map((bytes) => bytes.toString('hex'));
}

const messages = fc.array(
  fc.record({ type: fc.constantFrom('Q', 'd', 'S', 'D'), body: fc.uint8Array({ maxLength: 40 }) }),
  { maxLength: 8 },
);

describe('a stream of messages', () => {
  it('is read the same wherever it is cut, heads of messages that pass by too', () => {
    fc.assert(
      fc.property(messages, fc.array(fc.nat()), (drawn, places) => {
        const whole = drawn.map(({ type, body }) => message(type, Buffer.from(body)));
        const bytes = Buffer.concat(whole);
        const cuts = places.map((place) => place % (bytes.length + 1)).sort((a, b) => a - b);
        const pieces = [...cuts, bytes.length].map((end, index) => bytes.subarray(cuts[index - 1] ?? 0, end));
        const expected = whole.map((each) => each.toString('hex'));
        expect(readAll(pieces)).toEqual(expected);
        expect(readAll([...bytes].map((byte) => Buffer.of(byte)))).toEqual(expected);
      }),
    );
  });

  it('lets a long message pass by in pieces, and does not gather one', () => {
    const long = message('d', Buffer.alloc(5_000, 7));
    expect(readAll([long.subarray(0, 3), long.subarray(3, 9), long.subarray(9)])).toEqual([
      long.toString('hex'),
    ]);
    expect(() => readAll([message('Q', Buffer.alloc(5_000))])).toThrow(ProtocolFault);
  });

  it.each([0, 3])('is no such stream where a length is %s, whichever the type', (length) => {
    for (const type of ['Q', 'd']) {
      const bytes = Buffer.concat([Buffer.from(type), Buffer.of(0, 0, 0, length)]);
      expect(() => readAll([bytes])).toThrow(ProtocolFault);
    }
  });
});
