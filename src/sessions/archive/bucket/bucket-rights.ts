import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { ObjectPlace, RecordingBucket } from './bucket';
import { BucketFault } from './bucket-fault';

const CONTENT = Buffer.from('The doctor of the Access Gateway removes this object.\n');
/** Lock time of the test object in milliseconds. It is longer than a request takes. */
const LOCK_MS = 4_000;
/** Extra time to wait for the end of the lock, because the clock of the storage may be behind. */
const UNLOCKED_WITHIN_MS = 20_000;
const ASKED_EVERY_MS = 500;

const STORE = 'objects cannot be stored (s3:PutObject)';
const STORE_LOCKED = 'objects cannot be stored with a lock (s3:PutObject, s3:PutObjectRetention)';
const HOLD = 'legal holds cannot be set (s3:PutObjectLegalHold)';
const REMOVE = 'objects cannot be removed (s3:DeleteObjectVersion)';
const NO_LOCK =
  'the bucket removes what is locked: its Object Lock is not in effect, or the access key may bypass it (s3:BypassGovernanceRetention)';
const KEPT =
  'an object cannot be removed after its lock ended: the access key may not (s3:DeleteObjectVersion), or the bucket has a default retention';

/**
 * Tries locks, legal holds and removal with a test object, because the archive uses these rights only later.
 * Takes some seconds, because it waits for the end of the object's lock before it removes the object. Returns
 * every fault as a sentence.
 */
export async function rightFaults(bucket: RecordingBucket): Promise<string[]> {
  const key = `${bucket.settings.prefix}access-gateway-check-${randomUUID()}`;
  const hasLock = bucket.settings.lock !== 'off';
  const until = hasLock ? new Date(Date.now() + LOCK_MS) : null;
  const faults: string[] = [];
  const put = () => bucket.put(key, CONTENT, createHash('sha256').update(CONTENT).digest(), until);
  const stored = await attempt(faults, hasLock ? STORE_LOCKED : STORE, put);
  if (stored === undefined) return faults;
  const place = { key, versionId: stored.kind === 'stored' ? stored.versionId : null };
  if (hasLock) {
    const wasRemoved = await attempt(faults, 'whether a lock holds cannot be tried', () =>
      bucket.remove(place),
    );
    if (wasRemoved === true) faults.push(NO_LOCK);
    if (wasRemoved !== false) return faults;
    await attempt(faults, HOLD, () => heldAndReleased(bucket, place));
  }
  if ((await attempt(faults, REMOVE, () => isRemovedAfterLock(bucket, place))) === false) faults.push(KEPT);
  return faults;
}

/** Does one step of the check. If the bucket fails, adds a fault to `faults` and returns undefined. */
async function attempt<T>(
  faults: string[],
  what: string,
  work: () => Promise<T>,
): Promise<Awaited<T> | undefined> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof BucketFault)) throw error;
    faults.push(`${what}: ${error.message}`);
    return undefined;
  }
}

async function heldAndReleased(bucket: RecordingBucket, place: ObjectPlace): Promise<void> {
  await bucket.setLegalHold(place, true);
  await bucket.setLegalHold(place, false);
}

async function isRemovedAfterLock(bucket: RecordingBucket, place: ObjectPlace): Promise<boolean> {
  const giveUpAt = performance.now() + LOCK_MS + UNLOCKED_WITHIN_MS;
  while (performance.now() < giveUpAt) {
    if (await bucket.remove(place)) return true;
    await delay(ASKED_EVERY_MS);
  }
  return false;
}
