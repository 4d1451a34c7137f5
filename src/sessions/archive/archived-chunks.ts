import { Injectable } from '@nestjs/common';
import { AppError } from '../../kernel/app-error';
import { chunkHash } from '../format/chain';
import type { ChunkFacts } from '../format/verification';
import { ArchiveMetrics } from './archive-metrics';
import { ArchivePlace } from './archive-place';
import { ArchiveRows, type StoredSegment } from './archive-rows';
import { FIND_WHEREABOUTS } from './archive-statements';
import type { RecordingBucket } from './bucket/bucket';
import { BucketFault } from './bucket/bucket-fault';
import { chunksIn } from './segment-format';
import { mustExist } from '../format/no-session';

/**
 * Maximum number of consecutive requests that return no chunk. The reader then gets the error that the
 * storage is unavailable.
 */
const TRIES = 2;
const RETRY_AFTER_SECONDS = 10;

/** Range of the chunks of an archived recording to read. */
export interface ChunkRange {
  /** Only chunks after this number. */
  readonly after: number;
  /** No chunks after this number. */
  readonly upTo: number;
  /** True for verifiers: yields chunks as they are found, even if they differ from what was stored. */
  readonly asFound: boolean;
}

/** Storage state of a recording. */
export interface Whereabouts {
  readonly recordingPurgedAt: Date | null;
  /** Chunks up to this number are in object storage; null: none. */
  readonly archivedUpTo: number | null;
  /** Number of chunks stored so far, in PostgreSQL and in object storage. */
  readonly chunkCount: number;
}

/** Reads recordings from object storage as a stream, with one chunk in memory. */
@Injectable()
export class ArchivedChunks {
  constructor(
    private readonly place: ArchivePlace,
    private readonly rows: ArchiveRows,
    private readonly metrics: ArchiveMetrics,
  ) {}

  /**
   * Returns whether the recording was removed, how much of it has moved, and its number of chunks. Uses a
   * single query, because every reader runs it after the chunks in PostgreSQL. @throws NoSession
   */
  async whereabouts({ orgId, id }: { readonly orgId: string; readonly id: string }): Promise<Whereabouts> {
    const [row] = await this.rows.query<Whereabouts>(FIND_WHEREABOUTS, [orgId, id]);
    return mustExist(row);
  }

  /** @throws AppError `unavailable` while the object storage cannot be read */
  async *read(sessionId: string, { after, upTo, asFound }: ChunkRange): AsyncGenerator<ChunkFacts> {
    let last = Math.max(after, 0);
    const bucket = this.place.required;
    for (const segment of await this.rows.segments(sessionId, last, upTo)) {
      const end = Math.min(segment.lastSeq, upTo);
      // Requests the rest again if the storage cuts off a slow download.
      for (let tries = 1; last < end; tries++) {
        const before = last;
        try {
          for await (const chunk of chunksOf(bucket, segment, last + 1)) {
            if (!asFound) mustBeIntact(sessionId, chunk);
            yield chunk;
            last = chunk.seq;
            if (last >= end) break;
          }
          if (last < end) throw new BucketFault('wrong', 'returned fewer chunks than were stored');
        } catch (error) {
          if (!(error instanceof BucketFault)) throw error;
          this.metrics.failed(error);
          if (last > before) tries = 0;
          if (tries >= TRIES) throw unreadable(error);
        }
      }
    }
    // Without this error, the reader would request the missing chunks again and again.
    if (last < upTo) throw unreadable(new BucketFault('wrong', 'is not known to have all of it'));
  }
}

/**
 * Yields the chunks of a segment from number `from` on. The request begins at the nearest index entry, which
 * may be before that chunk.
 */
async function* chunksOf(
  bucket: RecordingBucket,
  segment: StoredSegment,
  from: number,
): AsyncGenerator<ChunkFacts> {
  const start = segment.index.findLast(({ seq }) => seq <= from);
  if (start === undefined) throw new Error(`a segment of a recording has no index for chunk ${from}`);
  let expected = start.seq;
  for await (const chunk of chunksIn(bucket.read(segment, start.offset, segment.size - 1))) {
    if (chunk.seq !== expected) throw new BucketFault('wrong', 'returned other bytes than were stored');
    if (chunk.seq >= from) yield chunk;
    expected += 1;
  }
}

function mustBeIntact(sessionId: string, { previous, seq, payload, hash }: ChunkFacts): void {
  if (!chunkHash(previous, sessionId, seq, payload).equals(hash))
    throw new BucketFault('wrong', 'returned other bytes than were stored');
}

function unreadable(fault: BucketFault): AppError {
  return new AppError('unavailable', `this recording cannot be read at the moment: ${fault.message}`, {
    cause: fault,
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}
