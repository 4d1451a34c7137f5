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

/** Place where the next chunk continues the chain. */
export interface ChainPlace {
  readonly sessionId: string;
  readonly chunkCount: number;
  readonly chainHash: Buffer;
}

/** Converts drafts to chunks that continue the chain. */
export async function chunksOf(drafts: readonly Draft[], place: ChainPlace): Promise<Chunk[]> {
  const chunks: Chunk[] = [];
  let previous = place.chainHash;
  // One at a time: the same few threads do large writes to the journal, for which sessions wait.
  for (const { bytes, eventCount, rawSize } of drafts) {
    const seq = place.chunkCount + chunks.length + 1;
    const payload = await payloadOf(bytes);
    const hash = chunkHash(previous, place.sessionId, seq, payload);
    chunks.push({ seq, eventCount, rawSize, payload, previous, hash });
    previous = hash;
  }
  return chunks;
}
