import { chunkHash } from './chain';
import type { Draft } from './draft';
import { payloadOf } from './event-codec';

/** A chunk as it is stored, linked to the one before. */
export interface Chunk {
  readonly seq: number;
  readonly eventCount: number;
  readonly rawSize: number;
  readonly payload: Buffer;
  readonly previous: Buffer;
  readonly hash: Buffer;
}

/** Where the next chunk goes on. */
export interface ChainPlace {
  readonly sessionId: string;
  readonly chunkCount: number;
  readonly chainHash: Buffer;
}

/** The drafts as chunks that continue the chain. */
export async function chunksOf(drafts: readonly Draft[], place: ChainPlace): Promise<Chunk[]> {
  const chunks: Chunk[] = [];
  let previous = place.chainHash;
  // One at a time: a large write to the journal is done by the same few threads, and somebody waits for that.
  for (const { bytes, eventCount, rawSize } of drafts) {
    const seq = place.chunkCount + chunks.length + 1;
    const payload = await payloadOf(bytes);
    const hash = chunkHash(previous, place.sessionId, seq, payload);
    chunks.push({ seq, eventCount, rawSize, payload, previous, hash });
    previous = hash;
  }
  return chunks;
}
