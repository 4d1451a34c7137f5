import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { ArchiveMetrics } from './archive-metrics';
import { claimSeconds } from './archive-move';
import { ArchiveRows, type StoredSegment } from './archive-rows';
import {
  CLAIM_ENDING_LOCKS,
  CLAIM_HOLDS,
  KEEP_LOCKS,
  NOTE_HOLD,
  NOTE_LOCK,
  POSTPONE_LOCKS,
  RELEASE_LOCKS,
} from './archive-statements';
import type { RecordingBucket } from './bucket/bucket';
import { BucketFault } from './bucket/bucket-fault';

const AT_ONCE = 20;

interface WantedHold {
  readonly id: string;
  readonly isHeld: boolean;
}

interface WantedLock {
  readonly id: string;
  readonly until: Date;
}

/** Requests a lock for each object of a recording, and then stores that all objects have it. */
interface Fulfilment<T> {
  readonly ask: (segment: StoredSegment, wanted: T) => Promise<void>;
  readonly note: (wanted: T, claim: string) => Promise<unknown>;
}

/**
 * Keeps the locks of objects in step with legal holds and retention. Compares the stored locks with the
 * sessions, so that no change is missed. A gateway claims a recording first, so that its older request does
 * not reach the bucket after a newer request of another gateway.
 */
@Injectable()
export class ArchiveLocks {
  constructor(
    private readonly rows: ArchiveRows,
    private readonly metrics: ArchiveMetrics,
  ) {}

  /**
   * Sets and releases legal holds. Returns whether more recordings may need this.
   * @throws BucketFault at once if the bucket is `unreachable`, otherwise after all recordings were tried
   */
  followHolds(bucket: RecordingBucket): Promise<boolean> {
    return this.follow<WantedHold>(bucket, CLAIM_HOLDS, {
      ask: (segment, { isHeld }) => bucket.setLegalHold(segment, isHeld),
      note: ({ id, isHeld }, claim) => this.rows.query(NOTE_HOLD, [id, claim, isHeld]),
    });
  }

  /**
   * Extends locks that would end before the retention ends. Returns whether more recordings may need this.
   * @throws BucketFault as `followHolds` does
   */
  prolong(bucket: RecordingBucket): Promise<boolean> {
    return this.follow<WantedLock>(bucket, CLAIM_ENDING_LOCKS, {
      ask: (segment, { until }) => bucket.lockUntil(segment, until),
      note: ({ id, until }, claim) => this.rows.query(NOTE_LOCK, [id, claim, until]),
    });
  }

  private async follow<T extends { readonly id: string }>(
    bucket: RecordingBucket,
    statement: string,
    how: Fulfilment<T>,
  ): Promise<boolean> {
    const claim = randomUUID();
    const claimed = await this.rows.query<T>(statement, [claim, claimSeconds(bucket), AT_ONCE]);
    let fault: BucketFault | undefined;
    try {
      for (const wanted of claimed) fault = (await this.attempt(bucket, { wanted, claim }, how)) ?? fault;
    } catch (error) {
      // Release the claims, so that other gateways can handle these recordings at once.
      await this.rows.query(RELEASE_LOCKS, [claimed.map(({ id }) => id), claim]);
      throw error;
    }
    if (fault !== undefined) throw fault;
    return claimed.length === AT_ONCE;
  }

  /**
   * Sets the locks of one recording's objects. Returns the fault of the bucket, such as a lost object, so
   * that the other recordings are still handled.
   * @throws BucketFault `unreachable`
   */
  private async attempt<T extends { readonly id: string }>(
    bucket: RecordingBucket,
    { wanted, claim }: { readonly wanted: T; readonly claim: string },
    { ask, note }: Fulfilment<T>,
  ): Promise<BucketFault | undefined> {
    try {
      for (const segment of await this.rows.segments(wanted.id)) {
        const kept = await this.rows.query(KEEP_LOCKS, [wanted.id, claim, claimSeconds(bucket)]);
        if (kept.length === 0) return undefined;
        await ask(segment, wanted);
      }
      await note(wanted, claim);
      return undefined;
    } catch (error) {
      if (!(error instanceof BucketFault)) throw error;
      this.metrics.failed(error);
      if (error.kind === 'unreachable') throw error;
      await this.rows.query(POSTPONE_LOCKS, [wanted.id, claim, error.message]);
      return error;
    }
  }
}
