import { chunkHash } from './chain';
import type { Draft } from './draft';
import { payloadOf } from './event-codec';

/** A chunk as it is stored, linked to the previous one. */
export interface Chunk {
  readonly seq: number;
  readonly eventCount: number;
  readonly rawSize: number;
  readonly payload: Buffer;
  readonly previous: Buffer;
  readonly hash: Buffer;
}

/** Session, number of chunks and last hash of a chain. The next chunk continues it. */
export interface ChainPlace {
  readonly sessionId: string;
  readonly chunkCount: number;
  readonly chainHash: Buffer;
}

/** Converts drafts (chunks under construction) to stored chunks that continue the chain. */
export async function chunksOf(drafts: readonly Draft[], place: ChainPlace): Promise<Chunk[]> {
  const chunks: Chunk[] = [];
  let previous = place.chainHash;
  // Compresses one chunk at a time, because compression uses the few threads that also write large data to
  // the journal, and sessions wait for the journal.
  for (const { bytes, eventCount, rawSize } of drafts) {
    const seq = place.chunkCount + chunks.length + 1;
    const payload = await payloadOf(bytes);
    const hash = chunkHash(previous, place.sessionId, seq, payload);
    chunks.push({ seq, eventCount, rawSize, payload, previous, hash });
    previous = hash;
  }
  return chunks;
}
