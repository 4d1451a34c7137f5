import { randomBytes } from 'node:crypto';
import { NO_CHUNK, RecordingSeal, chunkHash } from './chain';
import { type EventPiece, encodePieces } from './event-codec';
import { type ChunkFacts, type RecordingFacts, verifyRecording } from './verification';

const sealWith = (key: Buffer) => new RecordingSeal({ keys: [key] });
const box = sealWith(randomBytes(32));

interface Recording {
  facts: RecordingFacts;
  chunks: ChunkFacts[];
}

/** Links and seals the recording as a recorder does. */
async function record(sessionId: string, chunks: readonly (readonly EventPiece[])[]): Promise<Recording> {
  const linked: ChunkFacts[] = [];
  for (const pieces of chunks) {
    const seq = linked.length + 1;
    const previous = linked.at(-1)?.hash ?? NO_CHUNK;
    const payload = await encodePieces(pieces);
    const rawSize = pieces.reduce((sum, { content }) => sum + content.length, 0);
    const eventCount = pieces.filter(({ ends }) => ends).length;
    linked.push({
      seq,
      eventCount,
      rawSize,
      payload,
      previous,
      hash: chunkHash(previous, sessionId, seq, payload),
    });
  }
  const end = {
    sessionId,
    chunkCount: linked.length,
    chainHash: linked.at(-1)?.hash ?? NO_CHUNK,
    eventsStored: linked.reduce((sum, { eventCount }) => sum + eventCount, 0),
    eventSize: linked.reduce((sum, { rawSize }) => sum + rawSize, 0),
  };
  return { facts: { ...end, isOver: true, seal: box.of(end) }, chunks: linked };
}

const piece = (time: number, text: string, ends = true): EventPiece => ({
  time,
  type: 'o',
  content: Buffer.from(text),
  ends,
});

/** Replaces the content with other content of the same length. */
const forge = (it: EventPiece): EventPiece => ({ ...it, content: Buffer.alloc(it.content.length, 'f') });

/** Four chunks. One event spans two of them. */
const CHUNKS = [
  [piece(0, 'a'), piece(1, 'bb')],
  [piece(2, 'begins', false)],
  [piece(2, 'ends'), piece(3, 'c')],
  [piece(4, 'd')],
];

async function verify({ facts, chunks }: Recording, seal: RecordingSeal | undefined = box) {
  const all = (async function* () {
    yield* chunks;
  })();
  return verifyRecording(facts, all, seal && ((bytes, end) => seal.check(bytes, end)));
}

describe('the verification of a recording', () => {
  let whole: Recording;
  let other: Recording;

  beforeAll(async () => {
    whole = await record('session', CHUNKS);
    other = await record('other', CHUNKS);
  });

  const faultsOf = async (changed: Partial<Recording>) => (await verify({ ...whole, ...changed })).faults;

  it('finds nothing wrong with what was recorded', async () => {
    expect(await verify(whole)).toEqual({
      chunks: 4,
      events: 5,
      size: 15,
      chainHash: whole.facts.chainHash,
      seal: 'fits',
      unknownKey: null,
      faults: [],
    });
    expect(await verify(await record('empty', []))).toMatchObject({ chunks: 0, seal: 'fits', faults: [] });
  });

  it('reports a missing seal, and a seal by an unknown key', async () => {
    expect(await verify({ ...whole, facts: { ...whole.facts, seal: null } })).toMatchObject({
      seal: 'absent',
      faults: [],
    });
    const all = (async function* () {
      yield* whole.chunks;
    })();
    expect(await verifyRecording(whole.facts, all, undefined)).toMatchObject({
      seal: 'unchecked',
      faults: [],
    });
  });

  it('compares a running session with the totals of its row, and accepts an incomplete last event', async () => {
    const begun = await record('session', CHUNKS.slice(0, 2));
    const facts = { ...begun.facts, seal: null };
    expect((await verify({ ...begun, facts: { ...facts, isOver: false } })).faults).toEqual([]);
    expect((await verify({ ...begun, facts })).faults).toEqual([
      { seq: 2, reason: 'its last event is incomplete' },
    ]);
  });

  it('finds each chunk that is missing', async () => {
    for (const index of CHUNKS.keys()) {
      const faults = await faultsOf({ chunks: whole.chunks.filter((_, at) => at !== index) });
      // If the last chunk is missing, there is no gap in the numbers, but the totals differ.
      const seq = index === CHUNKS.length - 1 ? null : index + 1;
      expect(faults).toContainEqual(expect.objectContaining({ seq }));
    }
    expect(await faultsOf({ chunks: whole.chunks.slice(2) })).toContainEqual({
      seq: 1,
      reason: 'it is missing, like all chunks before 3',
    });
    expect(await faultsOf({ chunks: [] })).not.toEqual([]);
  });

  it('finds two chunks that were exchanged, also if their numbers were exchanged too', async () => {
    for (const a of CHUNKS.keys()) {
      for (const b of CHUNKS.keys()) {
        if (a >= b) continue;
        const chunks = whole.chunks.map(
          (chunk, at) => whole.chunks[at === a ? b : at === b ? a : at] ?? chunk,
        );
        expect(await faultsOf({ chunks })).not.toEqual([]);
        const renumbered = chunks.map((chunk, at) => ({ ...chunk, seq: at + 1 }));
        expect(await faultsOf({ chunks: renumbered })).not.toEqual([]);
      }
    }
  });

  it('finds every changed value of every chunk', async () => {
    for (const [index, chunk] of whole.chunks.entries()) {
      const payload = Buffer.from(chunk.payload);
      payload[payload.length - 1] = (payload.at(-1) ?? 0) ^ 1;
      const edits: Partial<ChunkFacts>[] = [
        { seq: chunk.seq + 1 },
        { seq: chunk.seq - 1 },
        { seq: -chunk.seq },
        { eventCount: chunk.eventCount + 1 },
        { rawSize: chunk.rawSize - 1 },
        { payload },
        { payload: Buffer.alloc(0) },
        // Forges the content and keeps the totals of the chunk.
        { payload: await encodePieces((CHUNKS[index] ?? []).map(forge)) },
        { payload: await encodePieces([piece(0, 'forged')]) },
        { previous: randomBytes(32) },
        { previous: Buffer.alloc(0) },
        { hash: randomBytes(32) },
        { hash: Buffer.alloc(0) },
        other.chunks[index] ?? {},
      ];
      for (const edit of edits) {
        const chunks = whole.chunks.map((it) => (it === chunk ? { ...it, ...edit } : it));
        expect([edit, await faultsOf({ chunks })]).not.toEqual([edit, []]);
      }
    }
  });

  it('finds a chunk that was forged in its place, linked to the one before it', async () => {
    const { facts, chunks } = whole;
    for (const [index, chunk] of chunks.entries()) {
      const pieces = (CHUNKS[index] ?? []).map((it) => ({
        ...it,
        content: Buffer.alloc(it.content.length, 'f'),
      }));
      const payload = await encodePieces(pieces);
      const forged = {
        ...chunk,
        payload,
        hash: chunkHash(chunk.previous, facts.sessionId, chunk.seq, payload),
      };
      const isLast = index === chunks.length - 1;
      expect(await faultsOf({ chunks: chunks.with(index, forged) })).toEqual([
        isLast
          ? { seq: null, reason: 'the last hash differs from the stored one' }
          : { seq: chunk.seq + 1, reason: 'it does not follow the previous chunk' },
      ]);
    }
  });

  it('finds an extra chunk at any position', async () => {
    const extra = await record('session', [...CHUNKS, [piece(5, 'forged')]]);
    expect(await faultsOf({ chunks: extra.chunks })).not.toEqual([]);
    for (const at of CHUNKS.keys()) {
      const chunks = whole.chunks.toSpliced(at, 0, whole.chunks[at] as ChunkFacts);
      expect(await faultsOf({ chunks })).not.toEqual([]);
    }
  });

  it('finds every changed total of the session', async () => {
    const { facts } = whole;
    for (const edit of [
      { chunkCount: 3 },
      { chunkCount: 5 },
      { chainHash: NO_CHUNK },
      { eventsStored: 4 },
      { eventSize: 16 },
      { sessionId: 'other' },
      { seal: randomBytes(32) },
      { seal: Buffer.alloc(0) },
    ]) {
      expect([edit, await faultsOf({ facts: { ...facts, ...edit } })]).not.toEqual([edit, []]);
    }
  });

  it('finds by the seal that all hashes were computed again', async () => {
    const forged = await record('session', [[piece(0, 'forged')]]);
    const seal = 'the seal is invalid';
    expect((await verify({ ...forged, facts: { ...forged.facts, seal: whole.facts.seal } })).faults).toEqual([
      { seq: null, reason: seal },
    ]);
    // Without the key, the seal cannot be checked.
    expect(await verify(whole, sealWith(randomBytes(32)))).toMatchObject({ seal: 'unknown_key', faults: [] });
  });

  it('finds an event that never ends, although all is linked and sealed', async () => {
    const torn = await record('session', [
      [piece(0, 'begins', false), piece(1, 'another')],
      [piece(2, 'x', false)],
    ]);
    expect((await verify(torn)).faults).toEqual([
      { seq: 1, reason: 'an event is incomplete' },
      { seq: 2, reason: 'its last event is incomplete' },
    ]);
  });

  it('names no more than a hundred faults', async () => {
    const many = await record(
      'session',
      Array.from({ length: 300 }, () => [piece(0, 'x')]),
    );
    const chunks = many.chunks.map((chunk) => ({ ...chunk, rawSize: 2 }));
    expect((await verify({ ...many, chunks })).faults).toHaveLength(100);
  });
});
