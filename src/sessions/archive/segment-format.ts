import { createHash } from 'node:crypto';
import type { ChunkFacts } from '../format/verification';
import { BucketFault } from './bucket/bucket-fault';

/**
 * A segment is closed when it has this size; its last chunk makes it a little
 * larger. One is in memory while it moves.
 */
export const SEGMENT_BYTES = 8 * 1024 * 1024;
/** The index has a place for each so many bytes: what is read before the wanted chunk. */
const INDEX_EVERY = 256 * 1024;
/** Numbers and hashes of a chunk, before its payload. */
const HEAD_BYTES = 80;
/** No object is larger. */
const MAX_PAYLOAD = 64 * 1024 * 1024;

/** Place at which a reader may begin in a segment. */
export interface IndexEntry {
  readonly seq: number;
  readonly offset: number;
}

/** A part of a recording as one object: chunks without a gap. Equal chunks make equal bytes. */
export interface Segment {
  readonly firstSeq: number;
  readonly lastSeq: number;
  readonly bytes: Buffer;
  readonly sha256: Buffer;
  readonly index: readonly IndexEntry[];
}

/**
 * Writes one segment: a line of JSON that describes it, then the chunks. A chunk is its number, events, size
 * of contents and size of payload (uint32, little-endian), the hash before it, its hash, and the payload as
 * it was stored in PostgreSQL.
 */
export class SegmentWriter {
  private readonly parts: Buffer[] = [];
  /** Grows with each chunk: eight megabytes at once would hold up everything else that this process does. */
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

/** Leaves out the line before the chunks. */
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
 * The chunks in the bytes of a segment, from the head of a chunk on. One of
 * them is in memory. @throws BucketFault
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
    // A copy: it would keep alive all that was read with it.
    payload: Buffer.from(bytes.subarray(HEAD_BYTES, end)),
  };
}
