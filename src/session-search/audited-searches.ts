import { Injectable } from '@nestjs/common';
import { InjectEntityManager } from '@nestjs/typeorm';
import { EntityManager, QueryFailedError } from 'typeorm';
import { Settings } from '../config/settings';
import type { AuditedRead } from '../http/change';
import { AppError } from '../kernel/app-error';
import { Places } from '../kernel/places';
import type { Principal } from '../kernel/principal';
import { Turns } from '../kernel/turns';

const AT_ONCE_EACH = 4;
/** Less than the driver waits for a statement: the server itself must give up, or it would go on for nobody. */
const FOUND_WITHIN_MS = 10_000;
const QUERY_CANCELED = '57014';

/**
 * Searches of what was recorded. Who looked for what is on the audit log before anything found is answered. Words can
 * be chosen so that a search looks at all there is: searches have half of the database connections, a person a few
 * at a time, and each some seconds.
 */
@Injectable()
export class AuditedSearches {
  private readonly places = new Places(AT_ONCE_EACH, Infinity, {
    own: `you have ${AT_ONCE_EACH} searches under way, wait for one of them`,
    all: 'too many searches are under way',
    retryAfterSeconds: 1,
  });
  private readonly turns: Turns;

  constructor(
    @InjectEntityManager() private readonly manager: EntityManager,
    settings: Settings,
  ) {
    this.turns = new Turns(Math.floor(settings.DATABASE_POOL_SIZE / 2));
  }

  /**
   * @param given What is looked for, parameter by parameter.
   * @throws AppError `too_many_requests`; `unprocessable` for a search that finds no end.
   */
  async run<T>(
    read: AuditedRead,
    actor: Principal,
    given: object,
    search: (db: EntityManager) => Promise<T>,
  ): Promise<T> {
    const leave = this.places.take(actor.userId);
    try {
      await this.manager.transaction((db) =>
        read.record(db, actor, { type: 'sessions', id: '', action: 'search', before: null, after: given }),
      );
      return await this.turns.take(() => this.within(search));
    } finally {
      leave();
    }
  }

  private async within<T>(search: (db: EntityManager) => Promise<T>): Promise<T> {
    try {
      return await this.manager.transaction(async (db) => {
        // Workers take longer to start than most searches take, and would make one search fill the machine.
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
}

function isCanceled(error: unknown): boolean {
  return (
    error instanceof QueryFailedError && (error.driverError as { code?: string }).code === QUERY_CANCELED
  );
}
