import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { Claim } from './archive-rows';
import {
  DROP_CHUNKS,
  FIND_CLEARING,
  LOCK_CLEARING,
  LOCK_SESSION,
  SETTLE_MOVE,
  SWITCH_TO_BUCKET,
} from './archive-statements';

/** A recording that was read back from the bucket and verified. */
export interface VerifiedMove extends Claim {
  readonly orgId: string;
  readonly chunkCount: number;
  readonly chainHash: Buffer;
}

interface LockedSession {
  readonly chunkCount: number;
  readonly chainHash: Buffer;
}

/** Number of chunks that are deleted in one transaction. Each has at most 256 KiB of content. */
const CHUNKS_AT_ONCE = 1_000;
const RECORDINGS_AT_ONCE = 10;

/** Switches recordings from PostgreSQL to the bucket, and deletes their chunks in PostgreSQL. */
@Injectable()
export class ArchiveSwitch {
  constructor(private readonly database: DataSource) {}

  /**
   * Makes readers use the bucket for a recording, and deletes the recording's chunks in PostgreSQL, in one
   * transaction. If the recording is very long, deletes only its last chunks.
   */
  complete(move: VerifiedMove): Promise<'moved' | 'lost' | 'grown'> {
    const { orgId, id, claim, chunkCount, chainHash } = move;
    return this.dropping(async (db) => {
      const [session] = await db.query<LockedSession[]>(LOCK_SESSION, [orgId, id]);
      if (session === undefined) return 'lost';
      if (session.chunkCount !== chunkCount || !session.chainHash.equals(chainHash)) return 'grown';
      const switched = await db.query<object[]>(SWITCH_TO_BUCKET, [id, claim, chunkCount]);
      if (switched.length === 0) return 'lost';
      await dropChunks(db, { id, lastSeq: chunkCount });
      return 'moved';
    });
  }

  /** Deletes more chunks of very long recordings. Returns whether more chunks may be left. */
  async clear(): Promise<boolean> {
    const found = await this.database.query<Clearing[]>(FIND_CLEARING, [RECORDINGS_AT_ONCE]);
    for (const recording of found)
      await this.dropping(async (db) => {
        const locked = await db.query<object[]>(LOCK_CLEARING, [recording.id]);
        if (locked.length > 0) await dropChunks(db, recording);
      });
    return found.length > 0;
  }

  private dropping<T>(work: (db: EntityManager) => Promise<T>): Promise<T> {
    return this.database.transaction(async (db) => {
      // Allows this transaction to delete chunks. The database refuses this without the setting.
      await db.query("SET LOCAL access_gateway.purging = 'on'");
      return work(db);
    });
  }
}

interface Clearing {
  readonly id: string;
  readonly lastSeq: number;
}

async function dropChunks(db: EntityManager, { id, lastSeq }: Clearing): Promise<void> {
  const [{ dropped }] = await db.query<[{ dropped: number }]>(DROP_CHUNKS, [id, lastSeq, CHUNKS_AT_ONCE]);
  if (dropped < CHUNKS_AT_ONCE) await db.query(SETTLE_MOVE, [id]);
}
