import { createHash } from 'node:crypto';
import type { ChunkFacts } from '../format/verification';
import { BucketFault } from './bucket/bucket-fault';

/**
 * Size in bytes at which a segment is closed. Its last chunk makes it a little larger. One segment is in
 * memory while a recording moves.
 */
export const SEGMENT_BYTES = 8 * 1024 * 1024;
/** Bytes between two index entries. A reader reads at most about this much before the wanted chunk. */
const INDEX_EVERY = 256 * 1024;
/** Size of a chunk's header: its numbers and hashes, before its payload. */
const HEAD_BYTES = 80;
/** Maximum payload of a chunk. If a length is larger, the bytes are wrong. */
const MAX_PAYLOAD = 64 * 1024 * 1024;

/** Chunk number and byte offset at which a reader may begin in a segment. */
export interface IndexEntry {
  readonly seq: number;
  readonly offset: number;
}

/** A part of a recording as one object: chunks without a gap. The same chunks always give the same bytes. */
export interface Segment {
  readonly firstSeq: number;
  readonly lastSeq: number;
  readonly bytes: Buffer;
  readonly sha256: Buffer;
  readonly index: readonly IndexEntry[];
}

/**
 * Writes one segment: a line of JSON that describes it, then the chunks. Each chunk has four numbers (uint32,
 * little-endian): its number, number of events, size of contents, size of payload. Then follow the previous
 * hash, its own hash, and the payload as it was stored in PostgreSQL.
 */
export class SegmentWriter {
  private readonly parts: Buffer[] = [];
  /** Updated with each chunk, because hashing 8 MiB in one call would block the event loop. */
  private readonly digest = createHash('sha256');
  private readonly index: IndexEntry[] = [];
  private size = 0;
  private indexedAt = -Infinity;
  private lastSeq: number;

  constructor(
    orgId: string,
    sessionId: string,
    private readonly firstSeq: number,
  ) {
    const what = { format: 'access-gateway-archive', version: 1, organization: orgId, session: sessionId };
    this.append(Buffer.from(`${JSON.stringify({ ...what, first: firstSeq })}\n`));
    this.lastSeq = firstSeq - 1;
  }

  get isFull(): boolean {
    return this.size >= SEGMENT_BYTES;
  }

  add({ seq, eventCount, rawSize, payload, previous, hash }: ChunkFacts): void {
    if (this.size - this.indexedAt >= INDEX_EVERY) {
      this.index.push({ seq, offset: this.size });
      this.indexedAt = this.size;
    }
    const numbers = Buffer.alloc(16);
    for (const [place, value] of [seq, eventCount, rawSize, payload.length].entries())
      numbers.writeUInt32LE(value, place * 4);
    for (const part of [numbers, previous, hash, payload]) this.append(part);
    this.lastSeq = seq;
  }

  finish(): Segment {
    const bytes = Buffer.concat(this.parts);
    return {
      firstSeq: this.firstSeq,
      lastSeq: this.lastSeq,
      bytes,
      sha256: this.digest.digest(),
      index: this.index,
    };
  }

  private append(part: Buffer): void {
    this.parts.push(part);
    this.digest.update(part);
    this.size += part.length;
  }
}

/** Removes the JSON line before the chunks. */
export async function* withoutHeadLine(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let isInLine = true;
  for await (const part of bytes) {
    const end = isInLine ? part.indexOf(0x0a) : -1;
    if (!isInLine) yield part;
    else if (end !== -1) {
      isInLine = false;
      yield part.subarray(end + 1);
    }
  }
}

/**
 * Parses the chunks of a segment, one in memory at a time. The bytes must begin with the header of a chunk.
 * @throws BucketFault
 */
export async function* chunksIn(bytes: AsyncIterable<Buffer>): AsyncGenerator<ChunkFacts> {
  let parts: Buffer[] = [];
  let size = 0;
  let wanted = HEAD_BYTES;
  for await (const part of bytes) {
    parts.push(part);
    size += part.length;
    if (size < wanted) continue;
    let rest = Buffer.concat(parts);
    for (;;) {
      wanted = HEAD_BYTES;
      if (rest.length < wanted) break;
      wanted += payloadLengthOf(rest);
      if (rest.length < wanted) break;
      yield chunkOf(rest, wanted);
      rest = rest.subarray(wanted);
    }
    parts = [rest];
    size = rest.length;
  }
  if (size > 0) throw new BucketFault('wrong', 'returned a chunk that is cut off');
}

function payloadLengthOf(head: Buffer): number {
  const length = head.readUInt32LE(12);
  if (length > MAX_PAYLOAD) throw new BucketFault('wrong', 'returned other bytes than were stored');
  return length;
}

function chunkOf(bytes: Buffer, end: number): ChunkFacts {
  return {
    seq: bytes.readUInt32LE(0),
    eventCount: bytes.readUInt32LE(4),
    rawSize: bytes.readUInt32LE(8),
    previous: bytes.subarray(16, 48),
    hash: bytes.subarray(48, HEAD_BYTES),
    // Copied, because a view of the payload would keep the whole read buffer in memory.
    payload: Buffer.from(bytes.subarray(HEAD_BYTES, end)),
  };
}
