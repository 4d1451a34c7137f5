import { randomBytes } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { COMPRESSION_LEVEL, deflateInThread } from './deflate';

/** Compresses as all versions of the gateway have done so far, byte for byte. */
function asBefore(bytes: Buffer): Buffer {
  return deflateRawSync(bytes, { level: COMPRESSION_LEVEL });
}

const INPUTS = [
  Buffer.alloc(0),
  Buffer.from('select 1'),
  Buffer.from('a line of a result\n'.repeat(15_000)),
  randomBytes(300_000),
  Buffer.from(Array.from({ length: 20_000 }, (_, n) => `${n}\tnot given\n`).join('')),
];

describe('deflateInThread', () => {
  it('returns the same bytes as zlib does with fresh memory, one call after another', async () => {
    for (const bytes of [...INPUTS, ...INPUTS.toReversed()])
      expect((await deflateInThread(bytes)).equals(asBefore(bytes))).toBe(true);
  });

  it('keeps many calls at once apart', async () => {
    const inputs = Array.from({ length: 24 }, (_, n) => INPUTS[n % INPUTS.length] as Buffer);
    const payloads = await Promise.all(inputs.map(deflateInThread));
    expect(payloads.map((payload) => inflateRawSync(payload).equals(inputs.shift() as Buffer))).toEqual(
      payloads.map(() => true),
    );
  });
});
