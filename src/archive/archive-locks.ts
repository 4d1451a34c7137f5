import { Injectable } from '@nestjs/common';
import { ArchiveRows } from './archive-rows';
import { FIND_ENDING_LOCKS, FIND_HOLDS, NOTE_HOLD, NOTE_LOCK } from './archive-statements';
import type { RecordingBucket } from './bucket/bucket';

const AT_ONCE = 100;

interface WantedHold {
  readonly id: string;
  readonly isHeld: boolean;
}

interface EndingLock {
  readonly id: string;
  readonly until: Date | null;
}

/** Keeps the locks of objects in step with legal holds and retention. What is wanted is read from the sessions, so nothing is forgotten. */
@Injectable()
export class ArchiveLocks {
  constructor(private readonly rows: ArchiveRows) {}

  /** Sets and releases legal holds. Returns whether there may be more. @throws BucketFault */
  async followHolds(bucket: RecordingBucket): Promise<boolean> {
    const wanted = await this.rows.query<WantedHold>(FIND_HOLDS, [AT_ONCE]);
    for (const { id, isHeld } of wanted) {
      for (const segment of await this.rows.segments(id)) await bucket.setLegalHold(segment, isHeld);
      await this.rows.query(NOTE_HOLD, [id, isHeld]);
    }
    return wanted.length === AT_ONCE;
  }

  /** Prolongs locks that would end before the retention does. Returns whether there may be more. @throws BucketFault */
  async prolong(bucket: RecordingBucket): Promise<boolean> {
    const ending = await this.rows.query<EndingLock>(FIND_ENDING_LOCKS, [AT_ONCE]);
    for (const { id, until } of ending) {
      if (until === null) continue;
      for (const segment of await this.rows.segments(id)) await bucket.lockUntil(segment, until);
      await this.rows.query(NOTE_LOCK, [id, until]);
    }
    return ending.length === AT_ONCE;
  }
}
