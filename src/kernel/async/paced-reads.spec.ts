import { Readable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { paceReads } from './paced-reads';

const CHUNK = Buffer.alloc(64 * 1024, 'x');
const CHUNKS = 100;

/** Imitates a socket that has received megabytes: each read gets the next chunk at once. */
function full(): Readable {
  let given = 0;
  return new Readable({
    read() {
      given += 1;
      this.push(given > CHUNKS ? null : CHUNK);
    },
  });
}

/** Returns the maximum number of bytes read in one turn of the event loop, and the number of all bytes. */
async function heard(
  stream: Readable,
  pace: (stream: Readable) => void,
): Promise<[most: number, all: number]> {
  let [now, most, all] = [0, 0, 0];
  stream.on('data', (chunk: Buffer) => {
    now += chunk.length;
    all += chunk.length;
    most = Math.max(most, now);
  });
  pace(stream);
  while (!stream.readableEnded) {
    await turn();
    now = 0;
  }
  return [most, all];
}

describe('a stream that has everything at once', () => {
  it('is heard whole, a few chunks in each turn', async () => {
    const [most, all] = await heard(full(), paceReads);
    expect(all).toBe(CHUNKS * CHUNK.length);
    expect(most).toBeLessThanOrEqual(4 * CHUNK.length);
  });

  it('would otherwise be heard in one turn', async () => {
    const [most] = await heard(full(), () => undefined);
    expect(most).toBeGreaterThan(32 * CHUNK.length);
  });
});
