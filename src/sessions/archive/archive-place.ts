import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { ArchiveSettings } from '../../platform/config/groups';
import { AppError } from '../../kernel/app-error';
import { RecordingBucket } from './bucket/bucket';
import type { BucketSettings } from './bucket/bucket-requests';

/** Clients for the bucket of this gateway; none without `ARCHIVE_URL`. */
@Injectable()
export class ArchivePlace implements OnApplicationShutdown {
  /** Client for readers. Responses in flight finish when the gateway stops. */
  readonly bucket: RecordingBucket | undefined;
  /** Client for the archive's own work. Its requests are aborted when the gateway stops. */
  readonly workBucket: RecordingBucket | undefined;

  constructor(settings: ArchiveSettings) {
    const complete = bucketSettings(settings);
    if (complete === undefined) return;
    this.bucket = new RecordingBucket(complete);
    this.workBucket = new RecordingBucket(complete);
  }

  onApplicationShutdown(): void {
    this.bucket?.close();
    this.workBucket?.close();
  }

  /** Returns the bucket for readers. @throws AppError `unavailable` when this gateway has no bucket */
  get required(): RecordingBucket {
    if (this.bucket !== undefined) return this.bucket;
    throw new AppError(
      'unavailable',
      'this recording is in object storage, for which this gateway has no settings (ARCHIVE_URL)',
    );
  }
}

/** Returns the settings of the bucket; undefined without `ARCHIVE_URL`. */
export function bucketSettings(settings: ArchiveSettings): BucketSettings | undefined {
  const { url, bucket, accessKeyId, secretAccessKey } = settings;
  if (url === undefined || bucket === undefined || accessKeyId === undefined || secretAccessKey === undefined)
    return undefined;
  return { ...settings, url, bucket, accessKeyId, secretAccessKey };
}
