import { Injectable } from '@nestjs/common';
import { InjectEntityManager } from '@nestjs/typeorm';
import { EntityManager, QueryFailedError } from 'typeorm';
import { DatabaseSettings } from '../../platform/config/groups';
import { ReplicaReads } from '../../platform/database/pools/replica';
import type { AuditedRead } from '../../platform/http/routes/change';
import { AppError } from '../../kernel/app-error';
import { Quota } from '../../kernel/async/quota';
import type { Principal } from '../../kernel/principal';
import { Semaphore } from '../../kernel/async/semaphore';

const AT_ONCE_EACH = 4;
/** Timeout of a search. It is shorter than the driver's timeout, which does not cancel the statement. */
const FOUND_WITHIN_MS = 10_000;
const QUERY_CANCELED = '57014';

/**
 * Runs searches of recorded inputs. Each search is in the audit log before it is answered. A search may have
 * to read everything, so there are limits: all searches use at most half of the database connections, a
 * person runs a few searches in parallel, and each search has a timeout of some seconds.
 */
@Injectable()
export class AuditedSearches {
  private readonly places = new Quota(AT_ONCE_EACH, Infinity, {
    own: `you have ${AT_ONCE_EACH} searches under way, wait for one of them`,
    all: 'too many searches are under way',
    retryAfterSeconds: 1,
  });
  private readonly turns: Semaphore;

  constructor(
    @InjectEntityManager() private readonly manager: EntityManager,
    private readonly replica: ReplicaReads,
    settings: DatabaseSettings,
  ) {
    this.turns = new Semaphore(Math.floor(settings.poolSize / 2));
  }

  /**
   * @param given The parameters of the search, for the audit log.
   * @throws AppError `too_many_requests`; `unprocessable` for a search that takes too long
   */
  async run<T>(
    read: AuditedRead,
    actor: Principal,
    given: object,
    search: (db: EntityManager) => Promise<T>,
  ): Promise<T> {
    const leave = this.places.acquire(actor.userId);
    try {
      await this.manager.transaction((db) =>
        read.record(db, actor, { type: 'sessions', id: '', action: 'search', before: null, after: given }),
      );
      return await this.turns.run(() => this.replica.read((db) => within(db, search)));
    } finally {
      leave();
    }
  }
}

async function within<T>(reader: EntityManager, search: (db: EntityManager) => Promise<T>): Promise<T> {
  try {
    return await reader.transaction(async (db) => {
      // No parallel workers, because they start more slowly than most searches run, and one search could use
      // all processors.
      await db.query(
        `SET LOCAL statement_timeout = ${FOUND_WITHIN_MS}; SET LOCAL max_parallel_workers_per_gather = 0`,
      );
      return search(db);
    });
  } catch (error) {
    if (!isCanceled(error)) throw error;
    const advice = 'look for rarer words, or give start_date and end_date';
    throw new AppError('unprocessable', `the search took too long: ${advice}`, { cause: error });
  }
}

function isCanceled(error: unknown): boolean {
  return (
    error instanceof QueryFailedError && (error.driverError as { code?: string }).code === QUERY_CANCELED
  );
}
