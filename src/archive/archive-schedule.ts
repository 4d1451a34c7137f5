import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { PeriodicTask } from '../kernel/periodic-task';
import { ArchiveLocks } from './archive-locks';
import { ArchiveMetrics } from './archive-metrics';
import { ArchivePlace } from './archive-place';
import { ArchiveWork } from './archive-work';
import { bucketFaults } from './bucket/bucket-check';
import type { RecordingBucket } from './bucket/bucket';
import { BucketFault } from './bucket/bucket-fault';

const EVERY_MS = 10_000;
const PROLONG_EVERY_MS = 60 * 60_000;
/** After the start, when the gateway has more urgent work. */
const FIRST_AFTER_MS = 1_000;

/**
 * The work of the archive, every ten seconds. Before its first recording moves, the bucket is checked: a bucket without Object Lock gets
 * nothing. While it cannot be used, recordings stay in PostgreSQL, and everything else goes on.
 */
@Injectable()
export class ArchiveSchedule implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger('Archive');
  private readonly stopping = new AbortController();
  private readonly task = new PeriodicTask({
    everyMs: EVERY_MS,
    firstAfterMs: FIRST_AFTER_MS,
    isShared: true,
    work: () => this.work(),
    onError: (message) => this.log.warn(`Recordings are not moved at the moment: ${message}`),
  });
  private isChecked = false;
  private prolongedAt = -Infinity;

  constructor(
    private readonly place: ArchivePlace,
    private readonly archive: ArchiveWork,
    private readonly locks: ArchiveLocks,
    private readonly metrics: ArchiveMetrics,
  ) {}

  onApplicationBootstrap(): void {
    if (this.place.workBucket !== undefined) this.task.start();
  }

  /** Stops the requests under way: what they were about is tried again, by any gateway. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    this.place.workBucket?.close();
    await this.task.stop();
  }

  private async work(): Promise<void> {
    const { workBucket: bucket } = this.place;
    if (bucket === undefined) return;
    try {
      this.isChecked ||= await this.check(bucket);
      if (!this.isChecked) return;
      while (!this.stopping.signal.aborted && (await this.archive.some(bucket, this.stopping.signal)));
      await this.prolong(bucket);
      this.metrics.isUp = true;
    } catch (error) {
      if (this.stopping.signal.aborted) return;
      if (error instanceof BucketFault) this.metrics.isUp = false;
      throw error;
    }
  }

  private async check(bucket: RecordingBucket): Promise<boolean> {
    const faults = await bucketFaults(bucket);
    this.metrics.isUp = faults.length === 0;
    if (faults.length === 0) this.log.log('Recordings move to object storage');
    // The caller logs it once, and tries again.
    else throw new Error(faults.join('; '));
    return true;
  }

  private async prolong(bucket: RecordingBucket): Promise<void> {
    if (performance.now() - this.prolongedAt < PROLONG_EVERY_MS) return;
    while (!this.stopping.signal.aborted && (await this.locks.prolong(bucket)));
    this.prolongedAt = performance.now();
  }
}
