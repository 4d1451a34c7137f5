import { setTimeout as delay } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import type { DataSource, QueryRunner } from 'typeorm';
import { sqlStateOfError } from './sql-state';

/** serialization_failure and deadlock_detected: the server took a transaction back so that others could go on. */
const TAKEN_BACK = new Set(['40001', '40P01']);
const ATTEMPTS = 4;
/** Doubled with each attempt, and at random between half and all of it: who met once must not meet again. */
const FIRST_PAUSE_MS = 20;

const log = new Logger('Transactions');

/** Whether the database took back what failed because of others; the same may succeed a moment later. */
export function wasTakenBack(error: unknown): boolean {
  return TAKEN_BACK.has(sqlStateOfError(error) ?? '');
}

/**
 * Runs work that is one transaction as a whole, and again, up to four times, when the database takes it back. Whatever the work does
 * outside the database it may do several times.
 */
export async function retried<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!wasTakenBack(error) || attempt === ATTEMPTS) throw error;
      log.warn(
        `The database took a transaction back (${sqlStateOfError(error)}); attempt ${attempt} of ${ATTEMPTS}`,
      );
      await delay(FIRST_PAUSE_MS * 2 ** attempt * (0.5 + Math.random() / 2));
    }
  }
}

/** Has every transaction of the data source, and every statement outside of one, retried. */
export function retryTransactions(dataSource: DataSource): DataSource {
  const { manager } = dataSource;
  const transaction = manager.transaction.bind(manager) as (...given: unknown[]) => Promise<unknown>;
  manager.transaction = <T>(...given: unknown[]): Promise<T> =>
    retried(() => transaction(...given) as Promise<T>);
  const create = dataSource.createQueryRunner.bind(dataSource);
  dataSource.createQueryRunner = (mode) => retryStatements(create(mode));
  return dataSource;
}

/** Within a transaction it is the whole that has to be repeated. */
function retryStatements(runner: QueryRunner): QueryRunner {
  const query = runner.query.bind(runner) as (...given: unknown[]) => Promise<unknown>;
  runner.query = ((...given: unknown[]) =>
    runner.isTransactionActive ? query(...given) : retried(() => query(...given))) as QueryRunner['query'];
  return runner;
}
