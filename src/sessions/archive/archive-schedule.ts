import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { PeriodicTask } from '../../kernel/async/periodic-task';
import { ArchiveLocks } from './archive-locks';
import { ArchiveMetrics } from './archive-metrics';
import { ArchivePlace } from './archive-place';
import { ArchiveWork } from './archive-work';
import { bucketFaults } from './bucket/bucket-check';
import type { RecordingBucket } from './bucket/bucket';
import { BucketFault } from './bucket/bucket-fault';

const EVERY_MS = 10_000;
const PROLONG_EVERY_MS = 60 * 60_000;
/** Delay of the first run after the start in milliseconds, because the gateway has more urgent work then. */
const FIRST_AFTER_MS = 1_000;

/**
 * Runs the work of the archive every ten seconds. The bucket is checked before the first recording moves, so
 * a bucket without Object Lock receives nothing. While the bucket cannot be used, recordings stay in
 * PostgreSQL, and the rest of the gateway works on. Locks are a separate task, so that a legal hold waits
 * neither for long moves nor for a bucket that accepts no more objects.
 */
@Injectable()
export class ArchiveSchedule implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger('Archive');
  private readonly stopping = new AbortController();
  private readonly tasks = [
    this.task(
      (bucket) => this.move(bucket),
      (message) => this.log.warn(`Recordings are not moved at the moment: ${message}`),
    ),
    this.task(
      (bucket) => this.lock(bucket),
      (message) => this.log.warn(`Not all locks of recordings are as they should be: ${message}`),
    ),
  ];
  private isChecked = false;
  private prolongedAt = -Infinity;

  constructor(
    private readonly place: ArchivePlace,
    private readonly archive: ArchiveWork,
    private readonly locks: ArchiveLocks,
    private readonly metrics: ArchiveMetrics,
  ) {}

  onApplicationBootstrap(): void {
    if (this.place.workBucket !== undefined) for (const task of this.tasks) task.start();
  }

  /** Aborts the requests in flight. Any gateway can repeat their work. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    this.place.workBucket?.close();
    await Promise.all(this.tasks.map((task) => task.stop()));
  }

  private task(
    work: (bucket: RecordingBucket) => Promise<void>,
    onError: (message: string) => void,
  ): PeriodicTask {
    return new PeriodicTask({
      everyMs: EVERY_MS,
      firstAfterMs: FIRST_AFTER_MS,
      isShared: true,
      work: () => this.attempt(work),
      onError,
    });
  }

  private async attempt(work: (bucket: RecordingBucket) => Promise<void>): Promise<void> {
    const { workBucket: bucket } = this.place;
    if (bucket === undefined) return;
    try {
      await work(bucket);
    } catch (error) {
      // Ignores the error during a shutdown, which aborts the requests. Another gateway repeats them.
      if (!this.isStopping) throw error;
    }
  }

  private get isStopping(): boolean {
    return this.stopping.signal.aborted;
  }

  private async move(bucket: RecordingBucket): Promise<void> {
    try {
      this.isChecked ||= await this.check(bucket);
      for (let isMore = true; isMore && !this.isStopping;) {
        isMore = await this.archive.some(bucket, this.stopping.signal);
        this.metrics.isUp = true;
      }
    } catch (error) {
      if (error instanceof BucketFault) this.metrics.isUp = false;
      throw error;
    }
  }

  private async lock(bucket: RecordingBucket): Promise<void> {
    while (!this.isStopping && (await this.locks.followHolds(bucket)));
    if (performance.now() - this.prolongedAt < PROLONG_EVERY_MS) return;
    while (!this.isStopping && (await this.locks.prolong(bucket)));
    this.prolongedAt = performance.now();
  }

  private async check(bucket: RecordingBucket): Promise<boolean> {
    const faults = await bucketFaults(bucket);
    this.metrics.isUp = faults.length === 0;
    if (faults.length === 0) this.log.log('Recordings move to object storage');
    // The caller logs the error once, and tries again.
    else throw new Error(faults.join('; '));
    return true;
  }
}
