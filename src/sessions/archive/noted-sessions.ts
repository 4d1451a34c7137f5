import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { ArchiveSettings } from '../../platform/config/groups';
import { LOCK_PROGRESS, NOTE_PROGRESS, NOTE_SESSIONS } from './archive-statements';

const AT_ONCE = 1_000;

interface Progress {
  readonly notedUpTo: string;
  readonly bound: string;
  readonly settled: string;
}

/**
 * Notes the sessions whose recordings must move: adds them to `session_archives`. Only one gateway does this
 * at a time. It begins where the previous gateway ended.
 */
@Injectable()
export class NotedSessions {
  constructor(
    private readonly database: DataSource,
    private readonly settings: ArchiveSettings,
  ) {}

  /** Notes some of the sessions that are old enough. Returns whether more sessions may be old enough. */
  noteSome(): Promise<boolean> {
    return this.database.transaction(async (db) => {
      const [progress] = await db.query<Progress[]>(LOCK_PROGRESS, [this.settings.afterMinutes]);
      if (progress === undefined) throw new Error('the row of archive_progress is missing');
      const { notedUpTo, bound, settled } = progress;
      const noted = await db.query<{ id: string }[]>(NOTE_SESSIONS, [notedUpTo, bound, AT_ONCE]);
      const last = noted
        .map(({ id }) => id)
        .sort()
        .at(-1);
      const isMore = noted.length === AT_ONCE;
      // Sessions with ids after `settled` may still be committed, so `reached` must not be after `settled`.
      const reached = isMore && last !== undefined && last < settled ? last : settled;
      await db.query(NOTE_PROGRESS, [reached]);
      return isMore;
    });
  }
}
