import { randomBytes } from 'node:crypto';
import { KeyRing } from '../../platform/keys/key-ring';
import { type ChainEnd, NO_CHUNK, RecordingSeal, chunkHash } from './chain';

describe('the chain of a recording', () => {
  it('links a chunk by everything that identifies it', () => {
    const payload = Buffer.from('payload');
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

  describe('seal', () => {
    const [first, second] = [randomBytes(32), randomBytes(32)];
    const sealWith = (...keys: Buffer[]) => new RecordingSeal({ keys: keys });
    const end: ChainEnd = {
      sessionId: 'session',
      chunkCount: 3,
      chainHash: randomBytes(32),
      eventsStored: 7,
      eventSize: 100,
    };

    it('fits what was sealed, also after the key was rotated', () => {
      const seal = sealWith(first).of(end);
      expect(sealWith(first).check(seal, end).state).toBe('fits');
      expect(sealWith(second, first).check(seal, end).state).toBe('fits');
    });

    it('fits nothing else', () => {
      const box = sealWith(first);
      const seal = box.of(end);
      for (const other of [
        { ...end, sessionId: 'other' },
        { ...end, chunkCount: 2 },
        { ...end, chainHash: NO_CHUNK },
        { ...end, eventsStored: 6 },
        { ...end, eventSize: 101 },
      ]) {
        expect(box.check(seal, other).state).toBe('broken');
      }
      expect(box.check(Buffer.alloc(0), end).state).toBe('broken');
    });

    it('names the key that made it where that is not given', () => {
      const seal = sealWith(first).of(end);
      const keyId = new KeyRing([first]).current.id;
      expect(sealWith(second).check(seal, end)).toEqual({ state: 'unknown_key', keyId });
      expect(sealWith(second).isCurrent(seal)).toBe(false);
      expect(sealWith(first).isCurrent(seal)).toBe(true);
    });

    it('is still known in the form without the id of its key', () => {
      const seal = sealWith(first).of(end).subarray(-32);
      expect(sealWith(second, first).check(seal, end).state).toBe('fits');
      expect(sealWith(second).check(seal, end).state).toBe('broken');
    });
  });
});
