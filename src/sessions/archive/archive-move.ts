import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { SealingSettings } from '../../platform/config/groups';
import { type ChainEnd, NO_CHUNK, RecordingSeal, chunkHash } from '../format/chain';
import { type ChunkFacts, verifyRecording } from '../format/verification';
import { ArchiveRows, type Claim, type StoredSegment } from './archive-rows';
import { BEGIN_ANEW, READ_CHUNKS } from './archive-statements';
import { ArchiveSwitch } from './archive-switch';
import type { RecordingBucket, ObjectPlace } from './bucket/bucket';
import { BucketFault } from './bucket/bucket-fault';
import { type Segment, SegmentWriter, chunksIn, withoutHeadLine } from './segment-format';

/** A recording to move, and the gateway's claim on it. */
export interface Move extends Claim {
  readonly orgId: string;
  readonly attempts: number;
  /**
   * Number of times that the move began anew, because the bucket had wrong objects under the previous keys.
   */
  readonly generation: number;
  readonly chunkCount: number;
  readonly chainHash: Buffer;
  readonly eventsStored: number;
  readonly eventSize: number;
  readonly seal: Buffer | null;
  readonly isHeld: boolean;
  /** Time until which the recording's objects are locked; null if its retention ends within the hour. */
  readonly lockUntil: Date | null;
}

/**
 * Outcome of a move. `lost`: another gateway claimed the recording, or retention removed it. `grown`: the
 * recording has more chunks now.
 */
export type MoveOutcome = 'moved' | 'lost' | 'grown';

/** Thrown if a recording differs from what was recorded. The recording then stays in PostgreSQL. */
export class BrokenRecording extends Error {}

const CHUNKS_AT_ONCE = 8;
/**
 * Duration of a claim, as a multiple of the time-out of one request to the bucket. It is longer than one
 * request, so that no gateway stores objects of a recording that another gateway removes.
 */
const CLAIM_REQUESTS = 4;
const ANEW_AFTER = 3;

/**
 * Moves one recording: stores its segments as objects, reads all objects back, verifies the recording with
 * their content, and only then lets PostgreSQL drop its chunks. If the gateway dies, another gateway
 * continues after the last stored segment.
 */
@Injectable()
export class ArchiveMove {
  private readonly seal: RecordingSeal;

  constructor(
    private readonly rows: ArchiveRows,
    private readonly over: ArchiveSwitch,
    settings: SealingSettings,
  ) {
    this.seal = new RecordingSeal(settings);
  }

  /** @throws BucketFault, BrokenRecording, both before any chunk is dropped */
  async execute(bucket: RecordingBucket, move: Move): Promise<MoveOutcome> {
    const segments = await this.storeSegments(bucket, move);
    if (segments === undefined) return 'lost';
    try {
      await this.verify(bucket, move, segments);
    } catch (error) {
      if (error instanceof ClaimLost) return 'lost';
      const isWrong = error instanceof BucketFault && error.kind === 'wrong';
      if (isWrong && beginsAnew(move.attempts)) await this.rows.query(BEGIN_ANEW, [move.id, move.claim]);
      throw error;
    }
    if (move.isHeld) {
      if (!(await this.rows.noteHold(move))) return 'lost';
      for (const segment of segments) await bucket.setLegalHold(segment, true);
    }
    return this.over.complete(move);
  }

  /** Returns all segments of the recording; undefined if the claim is lost. */
  private async storeSegments(bucket: RecordingBucket, move: Move): Promise<StoredSegment[] | undefined> {
    const seconds = claimSeconds(bucket);
    for (;;) {
      const stored = await this.rows.segments(move.id);
      const last = stored.at(-1)?.lastSeq ?? 0;
      if (!(await this.rows.keep(move, seconds, move.lockUntil))) return undefined;
      if (last >= move.chunkCount) return stored;
      const segment = await this.nextSegment(move, last);
      const place = await this.storeObject(bucket, move, segment);
      if (!(await this.rows.store(move, segment, place))) return undefined;
    }
  }

  /** Reads the chunks that follow number `after` from PostgreSQL into a segment. @throws BrokenRecording */
  private async nextSegment(move: Move, after: number): Promise<Segment> {
    const writer = new SegmentWriter(move.orgId, move.id, after + 1);
    let last = after;
    let hash: Buffer | undefined;
    while (!writer.isFull && last < move.chunkCount) {
      const wanted = Math.min(CHUNKS_AT_ONCE, move.chunkCount - last);
      const chunks = await this.rows.query<ChunkFacts>(READ_CHUNKS, [move.id, last, wanted]);
      if (chunks.length === 0) throw new BrokenRecording(`chunk ${last + 1} is missing`);
      for (const chunk of chunks) {
        hash ??= last === 0 ? NO_CHUNK : chunk.previous;
        mustFollow(move.id, chunk, last + 1, hash);
        writer.add(chunk);
        ({ hash } = chunk);
        last = chunk.seq;
        if (writer.isFull) break;
      }
    }
    return writer.finish();
  }

  private async storeObject(bucket: RecordingBucket, move: Move, segment: Segment): Promise<ObjectPlace> {
    const key = `${folderOf(bucket, move)}${keyOf(move.generation, segment)}`;
    const outcome = await bucket.put(key, segment.bytes, segment.sha256, move.lockUntil);
    if (outcome.kind === 'stored') return { key, versionId: outcome.versionId };
    // An object with this key exists already. Either a gateway stored it and died before it recorded this, or
    // the object has another origin.
    const found = await bucket.head({ key, versionId: null });
    const isSame =
      found?.size === segment.bytes.length &&
      (found.sha256 === undefined || found.sha256 === segment.sha256.toString('base64'));
    if (isSame) return { key, versionId: found.versionId };
    await this.rows.query(BEGIN_ANEW, [move.id, move.claim]);
    throw new BucketFault('wrong', 'has another object under the key of a recording');
  }

  /**
   * Reads all objects back.
   * @throws BucketFault if their bytes differ from those that were sent; BrokenRecording if the bytes are
   * right but the recording is wrong
   */
  private async verify(
    bucket: RecordingBucket,
    move: Move,
    segments: readonly StoredSegment[],
  ): Promise<void> {
    const facts = { ...endOf(move), isOver: true, seal: move.seal };
    const found = await verifyRecording(facts, this.readBack(bucket, move, segments), (seal, end) =>
      this.seal.check(seal, end),
    );
    const [fault] = found.faults;
    if (fault !== undefined)
      throw new BrokenRecording(
        `${fault.seq === null ? 'the recording' : `chunk ${fault.seq}`}: ${fault.reason}`,
      );
  }

  /**
   * Yields all chunks, as the bucket returns them.
   * @throws BucketFault after a segment whose bytes differ from those that were sent; ClaimLost
   */
  private async *readBack(
    bucket: RecordingBucket,
    move: Move,
    segments: readonly StoredSegment[],
  ): AsyncGenerator<ChunkFacts> {
    for (const segment of segments) {
      // Extend the claim, because reading a long recording takes longer than a claim lasts.
      if (!(await this.rows.keep(move, claimSeconds(bucket), move.lockUntil))) throw new ClaimLost();
      yield* chunksOf(bucket, segment);
    }
  }
}

/** Thrown if another gateway claimed the recording, or retention removed it. */
class ClaimLost extends Error {}

/**
 * Whether to begin anew: after 3, 6, 12, … attempts with wrong bytes, because by then the stored objects are
 * probably wrong, not their transfer. The intervals grow because a locked object cannot be removed. Otherwise
 * a proxy that corrupts every answer would fill the bucket with copies.
 */
function beginsAnew(attempts: number): boolean {
  return Number.isInteger(Math.log2(attempts / ANEW_AFTER));
}

/** Returns for how many seconds a gateway may work on a recording before another gateway may claim it. */
export function claimSeconds({ settings }: RecordingBucket): number {
  return settings.timeoutSeconds * CLAIM_REQUESTS;
}

/** Returns the common prefix of a recording's keys, by which all of its objects are found. */
export function folderOf(
  { settings }: RecordingBucket,
  { orgId, id }: { readonly orgId: string; readonly id: string },
): string {
  return `${settings.prefix}${orgId}/${monthOf(id)}/${id}/`;
}

/** Returns the month in which a session began. The session's id (UUIDv7) contains the time. */
function monthOf(id: string): string {
  const milliseconds = Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16);
  return new Date(milliseconds).toISOString().slice(0, 7);
}

function keyOf(generation: number, { firstSeq, lastSeq, sha256 }: Segment): string {
  const numbers = [firstSeq, lastSeq].map((seq) => String(seq).padStart(8, '0')).join('-');
  return `${generation}-${numbers}-${sha256.toString('hex').slice(0, 16)}`;
}

function endOf({ id, chunkCount, chainHash, eventsStored, eventSize }: Move): ChainEnd {
  return { sessionId: id, chunkCount, chainHash, eventsStored, eventSize };
}

function mustFollow(sessionId: string, chunk: ChunkFacts, seq: number, before: Buffer): void {
  const isRight =
    chunk.seq === seq &&
    chunk.previous.equals(before) &&
    chunkHash(before, sessionId, seq, chunk.payload).equals(chunk.hash);
  if (!isRight) throw new BrokenRecording(`chunk ${seq} is not what was recorded`);
}

/** Yields the chunks of one segment. @throws BucketFault at the end if its bytes differ from those sent */
async function* chunksOf(bucket: RecordingBucket, segment: StoredSegment): AsyncGenerator<ChunkFacts> {
  const digest = createHash('sha256');
  const read = async function* (): AsyncGenerator<Buffer> {
    for await (const bytes of bucket.read(segment, 0, segment.size - 1)) {
      digest.update(bytes);
      yield bytes;
    }
  };
  yield* chunksIn(withoutHeadLine(read()));
  if (!digest.digest().equals(segment.sha256))
    throw new BucketFault('wrong', 'returned other bytes than were stored');
}
