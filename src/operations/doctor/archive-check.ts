import { bucketSettings } from '../../sessions/archive/archive-place';
import { RecordingBucket } from '../../sessions/archive/bucket/bucket';
import { bucketFaults } from '../../sessions/archive/bucket/bucket-check';
import { rightFaults } from '../../sessions/archive/bucket/bucket-rights';
import { type Diagnosis, Reporter } from './diagnosis';
import type { Examined } from './examined';

const report = new Reporter('archive');
const CORRECT =
  'See docs/operations/archive.md for how the bucket is made, and what its access key may do; until then, recordings stay in PostgreSQL.';

/**
 * Checks that recordings can be moved to the bucket, locked there, read and removed. Stores one small object
 * and removes it.
 */
export async function checkArchive({ settings: { archive } }: Examined): Promise<Diagnosis[]> {
  const complete = bucketSettings(archive);
  if (complete === undefined) return [];
  const bucket = new RecordingBucket(complete);
  try {
    const found = await bucketFaults(bucket);
    // Checks the rights only if the bucket is usable, because otherwise one fault would be reported twice.
    const faults = found.length > 0 ? found : await rightFaults(bucket);
    if (faults.length > 0) return faults.map((fault) => report.fault(sentenceOf(fault), CORRECT));
    return [...warningsOf(archive.lock), report.ok(workingSentence(archive.lock))];
  } finally {
    bucket.close();
  }
}

function warningsOf(lock: string): Diagnosis[] {
  if (lock !== 'off') return [];
  return [
    report.warning(
      'ARCHIVE_LOCK is off: everybody with a key of the bucket can remove recordings.',
      'Make a bucket with Object Lock, and set ARCHIVE_LOCK=compliance.',
    ),
  ];
}

function workingSentence(lock: string): string {
  return lock === 'off'
    ? 'The bucket stores, reads, lists and removes objects.'
    : `The bucket stores, locks (${lock}), holds, reads, lists and removes objects.`;
}

function sentenceOf(fault: string): string {
  return `${fault.charAt(0).toUpperCase()}${fault.slice(1)}.`;
}
