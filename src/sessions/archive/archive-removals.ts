import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { AuditService } from '../../platform/audit/audit.service';
import { claimSeconds, folderOf } from './archive-move';
import { ArchiveRows } from './archive-rows';
import { CLAIM_REMOVALS, POSTPONE_REMOVAL, SETTLE_REMOVALS } from './archive-statements';
import type { RecordingBucket, ObjectPlace } from './bucket/bucket';
import { BucketFault } from './bucket/bucket-fault';

const TYPE = 'retention/objects';
const LOCKED = 'an object is still locked, or the access key may not remove it';
const AT_ONCE = 20;

interface Removal {
  readonly id: string;
  readonly orgId: string;
}

interface Removed {
  readonly orgId: string;
  readonly objects: number;
  readonly bytes: number;
  readonly sessions: string[];
}

/**
 * Removes the objects of recordings that retention has removed, once their locks have ended. Each batch
 * writes a line to the audit log.
 */
@Injectable()
export class ArchiveRemovals {
  constructor(
    private readonly database: DataSource,
    private readonly rows: ArchiveRows,
    private readonly audit: AuditService,
  ) {}

  /** Removes the objects of some recordings. Returns whether more recordings may wait. @throws BucketFault */
  async removeSome(bucket: RecordingBucket): Promise<boolean> {
    const claim = randomUUID();
    const found = await this.rows.query<Removal>(CLAIM_REMOVALS, [claim, claimSeconds(bucket), AT_ONCE]);
    const gone: string[] = [];
    let fault: BucketFault | undefined;
    for (const removal of found) {
      // If the bucket is unreachable, do not wait for a timeout for each remaining recording.
      const why =
        fault?.kind === 'unreachable'
          ? fault.message
          : await this.remove(bucket, removal).catch((error: unknown) => {
              if (!(error instanceof BucketFault)) throw error;
              fault = error;
              return error.message;
            });
      if (why === undefined) gone.push(removal.id);
      else await this.rows.query(POSTPONE_REMOVAL, [removal.id, claim, why]);
    }
    if (gone.length > 0) await this.settle(gone, claim);
    if (fault !== undefined) throw fault;
    return found.length === AT_ONCE;
  }

  /**
   * Removes all object versions in the folders of a recording, including those of moves that began anew.
   * Returns the reason if some remain.
   */
  private async remove(bucket: RecordingBucket, removal: Removal): Promise<string | undefined> {
    const known = await this.rows.segments(removal.id);
    // The configured prefix may have changed since the recording moved.
    const folders = new Set([
      folderOf(bucket, removal),
      ...known.map(({ key }) => key.slice(0, key.lastIndexOf('/') + 1)),
    ]);
    for (const folder of folders) if (!(await isEmptied(bucket, folder))) return LOCKED;
    return undefined;
  }

  private settle(ids: readonly string[], claim: string): Promise<void> {
    return this.database.transaction(async (db) => {
      const removed = await db.query<Removed[]>(SETTLE_REMOVALS, [ids, claim]);
      for (const { orgId, objects, bytes, sessions } of removed) {
        const after = { objects, bytes, recordings: sessions.length, sessions };
        await this.audit
          .ownChange(orgId)
          .record(db, { type: TYPE, id: claim, action: 'delete', before: null, after });
      }
    });
  }
}

/** Removes all object versions in the folder, one listing at a time. Returns false if a version is locked. */
async function isEmptied(bucket: RecordingBucket, folder: string): Promise<boolean> {
  let last = '';
  for (;;) {
    const found = await bucket.versions(folder);
    const [first] = found;
    if (first === undefined) return true;
    const place = `${first.key} ${first.versionId}`;
    if (place === last) throw new BucketFault('wrong', 'lists an object that it has removed');
    last = place;
    for (const version of found) if (!(await removed(bucket, version))) return false;
  }
}

/**
 * Removes a version. If it has a legal hold, releases the hold first. Such a hold is left from a move that
 * began anew, because retention removes only recordings without a hold.
 */
async function removed(bucket: RecordingBucket, version: ObjectPlace): Promise<boolean> {
  if (await bucket.remove(version)) return true;
  try {
    await bucket.setLegalHold(version, false);
  } catch (error) {
    if (error instanceof BucketFault && error.kind === 'refused') return false;
    throw error;
  }
  return bucket.remove(version);
}
