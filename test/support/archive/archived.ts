import { ArchiveLocks } from '../../../src/sessions/archive/archive-locks';
import { ArchivePlace } from '../../../src/sessions/archive/archive-place';
import { ArchiveSchedule } from '../../../src/sessions/archive/archive-schedule';
import { ArchiveWork } from '../../../src/sessions/archive/archive-work';
import type { RecordingBucket } from '../../../src/sessions/archive/bucket/bucket';
import { eventually } from '../eventually';
import type { TestGateway } from '../gateway';

const NEVER = new AbortController().signal;

/**
 * Ends the archive schedules of these gateways, and waits for their current work, because a schedule may have
 * claimed the recording, the removal or the lock that a test is about. Afterwards, the archive works only
 * when a test starts its work.
 */
export async function endSchedules(...gateways: readonly TestGateway[]): Promise<void> {
  const tasks = gateways.flatMap(({ app }) => app.get(ArchiveSchedule, { strict: false })['tasks']);
  await Promise.all(tasks.map((task) => task.stop()));
}

/**
 * Repeats the archive's work until nothing is left to do, then sets and releases legal holds.
 * @throws BucketFault
 */
export async function archiveNow(gateway: TestGateway): Promise<void> {
  const bucket = workBucketOf(gateway.app);
  const work = gateway.app.get(ArchiveWork, { strict: false });
  while (await work.some(bucket, NEVER));
  await followHolds(gateway);
}

/** Sets and releases legal holds on objects in the bucket, as the sessions require. @throws BucketFault */
export async function followHolds(gateway: TestGateway): Promise<void> {
  const [bucket, locks] = locksOf(gateway);
  while (await locks.followHolds(bucket));
}

/** Extends the object locks that would end before the retention ends. @throws BucketFault */
export async function prolongLocks(gateway: TestGateway): Promise<void> {
  const [bucket, locks] = locksOf(gateway);
  while (await locks.prolong(bucket));
}

function locksOf({ app }: TestGateway): [RecordingBucket, ArchiveLocks] {
  return [workBucketOf(app), app.get(ArchiveLocks, { strict: false })];
}

function workBucketOf(app: TestGateway['app']): RecordingBucket {
  const bucket = app.get(ArchivePlace, { strict: false }).workBucket;
  if (bucket === undefined) throw new Error('this gateway has no bucket');
  return bucket;
}

export interface ArchiveState {
  readonly state: string;
  readonly fault: string | null;
  readonly chunks: number;
  readonly generation: number;
}

/** Returns the state of a recording's move to the archive, and the number of chunks left in the database. */
export async function archiveStateOf({ database }: TestGateway, id: string): Promise<ArchiveState> {
  const [row] = await database.query<ArchiveState>(
    `SELECT coalesce(archive.state, 'none') AS state, archive.fault, archive.generation,
       (SELECT count(*)::int FROM session_chunks WHERE session_id = session.id) AS chunks
     FROM sessions AS session LEFT JOIN session_archives AS archive ON archive.session_id = session.id WHERE session.id = $1`,
    [id],
  );
  if (row === undefined) throw new Error('there is no such session');
  return row;
}

/** Moves the recording to the bucket now, even if the move was postponed, and waits until it is there. */
export async function archived(gateway: TestGateway, id: string): Promise<void> {
  await eventually('the recording is in the bucket', async () => {
    await gateway.database.query('UPDATE session_archives SET next_at = now() WHERE session_id = $1', [id]);
    await archiveNow(gateway).catch(() => undefined);
    return (await archiveStateOf(gateway, id)).state === 'archived';
  });
}
