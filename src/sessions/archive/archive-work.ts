import { Injectable } from '@nestjs/common';
import { ArchiveQueue } from './archive-queue';
import { ArchiveRemovals } from './archive-removals';
import { ArchiveSwitch } from './archive-switch';
import type { RecordingBucket } from './bucket/bucket';
import { BucketFault } from './bucket/bucket-fault';
import { NotedSessions } from './noted-sessions';

/**
 * Does the work of the archive in short rounds. Each round handles a limited number of recordings, so that
 * the recordings that were queued first also move first, and a stopping gateway need not wait until a million
 * recordings have moved.
 */
@Injectable()
export class ArchiveWork {
  constructor(
    private readonly noted: NotedSessions,
    private readonly queue: ArchiveQueue,
    private readonly over: ArchiveSwitch,
    private readonly removals: ArchiveRemovals,
  ) {}

  /**
   * Does one round of the archive's work. Returns whether more recordings may wait. @throws BucketFault, or
   * an error of the database
   */
  async some(bucket: RecordingBucket, stop: AbortSignal): Promise<boolean> {
    let isMore = false;
    let fault: BucketFault | undefined;
    const steps = [
      () => this.noted.noteSome(),
      () => this.over.clear(),
      () => this.removals.removeSome(bucket),
      () => this.queue.moveSome(bucket, stop),
    ];
    for (const step of steps) {
      try {
        if (await step()) isMore = true;
      } catch (error) {
        // Continues with the next step, because the bucket may refuse one step and allow another.
        if (!(error instanceof BucketFault) || error.kind === 'unreachable') throw error;
        fault ??= error;
      }
    }
    if (fault !== undefined) throw fault;
    return isMore;
  }
}
