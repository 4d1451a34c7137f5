import { Injectable } from '@nestjs/common';
import { Meter } from '../../platform/metrics/meter';
import type { BucketFault } from './bucket/bucket-fault';

/** Metrics of the archive. */
@Injectable()
export class ArchiveMetrics {
  private readonly recordings;
  private readonly bytes;
  private readonly faults;
  /** Whether the last use of the bucket succeeded; undefined without a bucket, or before its first use. */
  isUp: boolean | undefined;

  constructor(meter: Meter) {
    this.recordings = meter.counter('gateway_archive_recordings_moved_total');
    this.bytes = meter.counter('gateway_archive_moved_bytes_total');
    this.faults = meter.counter('gateway_archive_faults_total');
    meter.read('gateway_archive_up', {}, () => (this.isUp === undefined ? undefined : Number(this.isUp)));
  }

  moved(bytes: number): void {
    this.recordings.add({});
    this.bytes.add({}, bytes);
  }

  failed({ kind }: BucketFault): void {
    this.faults.add({ kind });
  }
}
