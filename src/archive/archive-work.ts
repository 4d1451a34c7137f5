import { Injectable } from '@nestjs/common';
import { ArchiveLocks } from './archive-locks';
import { ArchiveQueue } from './archive-queue';
import { ArchiveRemovals } from './archive-removals';
import { ArchiveSwitch } from './archive-switch';
import type { RecordingBucket } from './bucket/bucket';
import { BucketFault } from './bucket/bucket-fault';
import { NotedSessions } from './noted-sessions';

/** One round of what the archive does. Rounds are short, so that a legal hold does not wait for the move of a million recordings. */
@Injectable()
export class ArchiveWork {
  constructor(
    private readonly noted: NotedSessions,
    private readonly queue: ArchiveQueue,
    private readonly over: ArchiveSwitch,
    private readonly locks: ArchiveLocks,
    private readonly removals: ArchiveRemovals,
  ) {}

  /** Returns whether there may be more. @throws BucketFault, and what the database throws */
  async some(bucket: RecordingBucket, stop: AbortSignal): Promise<boolean> {
    let isMore = false;
    let fault: BucketFault | undefined;
    const steps = [
      () => this.locks.followHolds(bucket),
      () => this.removals.removeSome(bucket),
      () => this.over.clear(),
      () => this.queue.moveSome(bucket, stop),
    ];
    await this.noted.note();
    for (const step of steps) {
      try {
        if (await step()) isMore = true;
      } catch (error) {
        // What the bucket refuses of one step it may allow of another.
        if (!(error instanceof BucketFault) || error.kind === 'unreachable') throw error;
        fault ??= error;
      }
    }
    if (fault !== undefined) throw fault;
    return isMore;
  }
}
