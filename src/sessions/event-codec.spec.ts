import { deflateRawSync } from 'node:zlib';
import * as fc from 'fast-check';
import { NO_CHUNK, type SessionEvent, chunkHash, decodeEvents, encodeEvents } from './event-codec';

const event: fc.Arbitrary<SessionEvent> = fc.record({
  time: fc.double({ noNaN: true }),
  type: fc.constantFrom('i' as const, 'o' as const, 'e' as const),
  content: fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
});

describe('the codec of recorded events', () => {
  it('gives back exactly what it was given', () => {
    fc.assert(
      fc.property(fc.array(event), (events) => {
        expect(decodeEvents(encodeEvents(events))).toEqual(events);
      }),
    );
  });

  it('refuses a payload that ends inside an event', () => {
    fc.assert(
      fc.property(event, fc.nat(), (whole, cut) => {
        const bytes = Buffer.concat([Buffer.alloc(13), whole.content, Buffer.of(0)]);
        bytes.writeUInt32LE(whole.content.length + 1, 9);
        const torn = deflateRawSync(bytes.subarray(0, 1 + (cut % (bytes.length - 1))));
        expect(() => decodeEvents(torn)).toThrow(/torn|out of range|outside buffer/);
      }),
    );
  });

  it('refuses bytes that are no payload', () => {
    expect(() => decodeEvents(Buffer.from('no payload'))).toThrow('invalid');
  });

  it('links a chunk by everything that identifies it', () => {
    const payload = encodeEvents([]);
    const hash = chunkHash(NO_CHUNK, 'session', 1, payload);
    expect(hash).toHaveLength(32);
    expect(chunkHash(NO_CHUNK, 'session', 1, payload)).toEqual(hash);
    for (const other of [
      chunkHash(hash, 'session', 1, payload),
      chunkHash(NO_CHUNK, 'sessioN', 1, payload),
      chunkHash(NO_CHUNK, 'session', 2, payload),
      chunkHash(NO_CHUNK, 'session', 1, Buffer.concat([payload, Buffer.of(0)])),
    ]) {
      expect(other).not.toEqual(hash);
    }
  });
});
