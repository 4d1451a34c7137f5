import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { ArchiveSettings } from '../../platform/config/groups';
import { AppError } from '../../kernel/app-error';
import { RecordingBucket } from './bucket/bucket';
import type { BucketSettings } from './bucket/bucket-requests';

/** The bucket of this gateway, if it has one. */
@Injectable()
export class ArchivePlace implements OnApplicationShutdown {
  /** For readers. Answers that are under way when the gateway stops are finished. */
  readonly bucket: RecordingBucket | undefined;
  /** For the work of the archive, which ends at once. */
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

  /** For readers. @throws AppError `unavailable` where there is none */
  get required(): RecordingBucket {
    if (this.bucket !== undefined) return this.bucket;
    throw new AppError(
      'unavailable',
      'this recording is in object storage, for which this gateway has no settings (ARCHIVE_URL)',
    );
  }
}

/** undefined without `ARCHIVE_URL`. */
export function bucketSettings(settings: ArchiveSettings): BucketSettings | undefined {
  const { url, bucket, accessKeyId, secretAccessKey } = settings;
  if (url === undefined || bucket === undefined || accessKeyId === undefined || secretAccessKey === undefined)
    return undefined;
  return { ...settings, url, bucket, accessKeyId, secretAccessKey };
}
