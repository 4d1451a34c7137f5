import { setTimeout as delay } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import type { DataSource, QueryRunner } from 'typeorm';
import { databaseOutage } from './outage';
import { throwExplained } from './schema-fault';
import { sqlStateOfError } from './sql-state';

/**
 * SQLSTATEs serialization_failure and deadlock_detected: the server rolled a transaction back so that other
 * transactions could continue.
 */
const TAKEN_BACK = new Set(['40001', '40P01']);
const ATTEMPTS = 4;
/**
 * Base of the pauses, which double with each attempt. Half of a pause is random, so that transactions that
 * collided do not collide again.
 */
const FIRST_PAUSE_MS = 20;

/** Pauses between the attempts of `repeatedInOutage`: about 8 s in all. */
const OUTAGE_PAUSES_MS = [250, 500, 1_000, 2_000, 4_000];

const log = new Logger('Transactions');

/**
 * Whether the database rolled the work back because of concurrent
 * transactions, so that it may succeed when repeated.
 */
export function wasRolledBack(error: unknown): boolean {
  return TAKEN_BACK.has(sqlStateOfError(error) ?? '');
}

/**
 * Runs work that is one transaction, and repeats it up to three times when the database rolls it back. Side
 * effects outside the database may happen several times.
 */
export async function withRetries<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!wasRolledBack(error) || attempt === ATTEMPTS) throw error;
      log.warn(
        `The database rolled a transaction back (${sqlStateOfError(error)}); attempt ${attempt} of ${ATTEMPTS}`,
      );
      await delay(FIRST_PAUSE_MS * 2 ** attempt * (0.5 + Math.random() / 2));
    }
  }
}

/**
 * Runs idempotent work, and repeats it for some seconds while the database cannot be reached. Used for data
 * that would otherwise be lost, such as a new refresh token whose predecessor is no longer valid.
 */
export async function repeatedInOutage<T>(work: () => Promise<T>): Promise<T> {
  for (const ms of OUTAGE_PAUSES_MS) {
    try {
      return await work();
    } catch (error) {
      if (databaseOutage(error) === undefined) throw error;
      await delay(ms);
    }
  }
  return work();
}

/** Makes the data source retry every transaction, and every statement outside a transaction. */
export function retryTransactions(dataSource: DataSource): DataSource {
  const { manager } = dataSource;
  const transaction = manager.transaction.bind(manager) as (...given: unknown[]) => Promise<unknown>;
  manager.transaction = <T>(...given: unknown[]): Promise<T> =>
    withRetries(() => transaction(...given) as Promise<T>);
  const create = dataSource.createQueryRunner.bind(dataSource);
  dataSource.createQueryRunner = (mode) => retryStatements(dataSource, create(mode));
  return dataSource;
}

/** Retries single statements outside a transaction. Inside, only the whole transaction can be retried. */
function retryStatements(dataSource: DataSource, runner: QueryRunner): QueryRunner {
  const query = runner.query.bind(runner) as (...given: unknown[]) => Promise<unknown>;
  runner.query = ((...given: unknown[]) =>
    (runner.isTransactionActive ? query(...given) : withRetries(() => query(...given))).catch(
      (error: unknown) => throwExplained(dataSource, error),
    )) as QueryRunner['query'];
  return runner;
}
