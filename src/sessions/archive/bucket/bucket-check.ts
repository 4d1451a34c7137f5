import { createHash } from 'node:crypto';
import type { RecordingBucket } from './bucket';
import { BucketFault } from './bucket-fault';

/** Object that the first check stores. Later checks find it. */
const NAME = 'access-gateway-check';
const CONTENT = Buffer.from('Recordings of the Access Gateway are kept here.\n');

/**
 * Tries what the archive needs of its bucket: Object Lock, conditional puts with a checksum, reading parts of
 * an object, listing versions. Returns every fault as a sentence. Recordings may move if there is none.
 */
export async function bucketFaults(bucket: RecordingBucket): Promise<string[]> {
  const faults: string[] = [];
  for (const check of [canLock, canPut, canRead, canList]) {
    try {
      faults.push(...(await check(bucket)));
    } catch (error) {
      if (!(error instanceof BucketFault)) throw error;
      faults.push(`${wants.get(check) ?? check.name}: ${error.message}`);
      // Skips the other checks, because they would fail in the same way.
      if (error.kind === 'unreachable') break;
    }
  }
  return faults;
}

async function canLock(bucket: RecordingBucket): Promise<string[]> {
  if (bucket.settings.lock === 'off' || (await bucket.isLockable())) return [];
  return ['the bucket has no Object Lock: make one that has it, or set ARCHIVE_LOCK=off'];
}

async function canPut(bucket: RecordingBucket): Promise<string[]> {
  const put = () => bucket.put(keyOf(bucket), CONTENT, createHash('sha256').update(CONTENT).digest(), null);
  await put();
  const again = await put();
  return again.kind === 'exists'
    ? []
    : ['the bucket replaces objects in spite of If-None-Match: it does not support conditional puts'];
}

async function canRead(bucket: RecordingBucket): Promise<string[]> {
  const parts: Buffer[] = [];
  for await (const bytes of bucket.read({ key: keyOf(bucket), versionId: null }, 2, CONTENT.length - 1))
    parts.push(bytes);
  return Buffer.concat(parts).equals(CONTENT.subarray(2))
    ? []
    : ['the bucket returns other bytes than were stored'];
}

async function canList(bucket: RecordingBucket): Promise<string[]> {
  const found = await bucket.versions(keyOf(bucket));
  return found.length > 0 ? [] : ['the bucket does not list versions of objects, which a removal needs'];
}

function keyOf({ settings }: RecordingBucket): string {
  return `${settings.prefix}${NAME}`;
}

const wants = new Map<unknown, string>([
  [canLock, 'Object Lock cannot be asked for (s3:GetBucketObjectLockConfiguration)'],
  [canPut, 'objects cannot be stored (s3:PutObject)'],
  [canRead, 'objects cannot be read (s3:GetObject)'],
  [canList, 'versions cannot be listed (s3:ListBucketVersions)'],
]);
