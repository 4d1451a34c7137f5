import { createHash, randomUUID } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';
import { type StoredChunk, readChunks } from './chunks';

const id = randomUUID();
const texts = ['SELECT 1', 'ä'.repeat(1_000), '1\n'];

/** Chunks like those of the gateway: one event a chunk. */
function stored(payloads = texts.map(eventOf), events = payloads.map(() => 1)): StoredChunk[] {
  let hash: Buffer = Buffer.alloc(32);
  return payloads.map((payload, index) => {
    const seq = index + 1;
    hash = createHash('sha256').update(hash).update(`${id}:${seq}:`).update(payload).digest();
    return { seq, event_count: events[index] ?? 0, payload, hash };
  });
}

function eventOf(text: string, index: number): Buffer {
  return packed(piece(index === 0 ? 'i' : 'o', text));
}

function piece(type: string, content: string): Buffer {
  const head = Buffer.alloc(13);
  head.write(type, 8, 'latin1');
  head.writeUInt32LE(Buffer.byteLength(content), 9);
  return Buffer.concat([head, Buffer.from(content)]);
}

function packed(...pieces: Buffer[]): Buffer {
  return deflateRawSync(Buffer.concat(pieces));
}

describe('the chunks of a session', () => {
  it('are read as they were written', () => {
    const events = texts.map((content, index) => ({ type: index === 0 ? 'i' : 'o', content }));
    const chunks = stored();
    const head = { chunk_count: 3, chain_hash: chunks[2]?.hash ?? null };
    expect(readChunks(id, chunks, head)).toEqual({ events, faults: [] });
    expect(readChunks(id, [], { chunk_count: 0, chain_hash: null })).toEqual({ events: [], faults: [] });
  });

  it('may share an event between them', () => {
    const chunks = stored([packed(piece('i', 'one'), piece('O', 'tw')), packed(piece('o', 'o'))], [1, 1]);
    expect(readChunks(id, chunks)).toEqual({
      events: [
        { type: 'i', content: 'one' },
        { type: 'o', content: 'two' },
      ],
      faults: [],
    });
  });

  const [first, second, third] = stored() as [StoredChunk, StoredChunk, StoredChunk];
  const changed = { ...second, payload: eventOf('ö', 1) };
  const cutPiece = stored([deflateRawSync(piece('i', 'SELECT 1').subarray(0, -1))], [0]);

  it.each<[string, StoredChunk[], number, string]>([
    ['one is changed', [first, changed, third], 3, 'chunk 2 does not fit its hash'],
    ['one is missing', [first, third], 3, 'chunk 2 has the number 3'],
    ['two have changed places', [second, first, third], 3, 'chunk 1 has the number 2'],
    ['the last is missing', [first, second], 3, '2 chunks are there, not 3'],
    ['a piece is cut', cutPiece, 1, 'chunk 1 cannot be read: Error: a piece is cut'],
    ['one is no deflated text', stored([Buffer.from('x')], [0]), 1, 'chunk 1 cannot be read'],
    [
      'one counts its events wrongly',
      stored(texts.map(eventOf), [1, 2, 1]),
      3,
      'chunk 2 holds 1 events, not 2',
    ],
    ['the last event goes on', stored([packed(piece('O', 'x'))], [0]), 1, 'the last event has no end'],
  ])('are faulty when %s', (_, chunks, chunk_count, fault) => {
    const { faults } = readChunks(id, chunks, { chunk_count, chain_hash: chunks.at(-1)?.hash ?? null });
    expect(faults).toContainEqual(expect.stringContaining(fault));
  });

  it('are faulty when the chain ends elsewhere', () => {
    const { faults } = readChunks(id, [first, second], { chunk_count: 2, chain_hash: third.hash });
    expect(faults).toEqual(['the head of the chain is another one']);
  });
});
