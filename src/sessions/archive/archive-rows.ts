import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { queryPool } from '../../platform/database/pools/query-pool';
import type { ObjectPlace } from './bucket/bucket';
import { FIND_SEGMENTS, KEEP_CLAIM, NOTE_CLAIMED_HOLD, STORE_SEGMENT } from './archive-statements';
import type { IndexEntry, Segment } from './segment-format';

/** A segment (a part of a recording in one object), as its row in PostgreSQL describes it. */
export interface StoredSegment extends ObjectPlace {
  readonly firstSeq: number;
  readonly lastSeq: number;
  readonly size: number;
  readonly sha256: Buffer;
  readonly index: readonly IndexEntry[];
}

const LAST = 2 ** 31 - 1;

interface SegmentRow extends Omit<StoredSegment, 'index'> {
  readonly indexSeqs: readonly number[];
  readonly indexOffsets: readonly number[];
}

/** Claim of one gateway to work on one recording. A gateway that lost its claim changes nothing. */
export interface Claim {
  readonly id: string;
  readonly claim: string;
}

/**
 * Reads and writes the rows of segments and of claims. No method holds a database connection while its caller
 * waits for a bucket.
 */
@Injectable()
export class ArchiveRows {
  constructor(private readonly database: DataSource) {}

  query<T extends object>(text: string, values: readonly unknown[]): Promise<T[]> {
    return queryPool<T>(this.database, text, [...values]);
  }

  /** The segments with chunks after number `after` and up to number `upTo`, in order. */
  async segments(sessionId: string, after = 0, upTo = LAST): Promise<StoredSegment[]> {
    const rows = await this.query<SegmentRow>(FIND_SEGMENTS, [sessionId, after, upTo]);
    return rows.map(({ indexSeqs, indexOffsets, ...segment }) => ({
      ...segment,
      index: indexSeqs.map((seq, place) => ({ seq, offset: indexOffsets[place] ?? 0 })),
    }));
  }

  /** Renews the claim before an object with a lock is stored. Returns false if the claim is lost. */
  async keep({ id, claim }: Claim, seconds: number, lockUntil: Date | null): Promise<boolean> {
    return (await this.query(KEEP_CLAIM, [id, claim, seconds, lockUntil])).length > 0;
  }

  /** Records a legal hold before it is set in the bucket. Returns false if the claim is lost. */
  async noteHold({ id, claim }: Claim): Promise<boolean> {
    return (await this.query(NOTE_CLAIMED_HOLD, [id, claim])).length > 0;
  }

  /** Stores the row of a segment. Returns false if the claim is lost. */
  async store({ id, claim }: Claim, segment: Segment, place: ObjectPlace): Promise<boolean> {
    const { firstSeq, lastSeq, bytes, sha256, index } = segment;
    const stored = await this.query(STORE_SEGMENT, [
      id,
      claim,
      firstSeq,
      lastSeq,
      place.key,
      place.versionId,
      bytes.length,
      sha256,
      index.map(({ seq }) => seq),
      index.map(({ offset }) => offset),
    ]);
    return stored.length > 0;
  }
}
