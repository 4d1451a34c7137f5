import { AppError } from '../kernel/app-error';
import { databaseOutage } from './outage';
import { wasRolledBack } from './retry';

/** A restart or a failover takes some seconds. */
const OUTAGE_SECONDS = 5;

/**
 * The answer for a fault of the database that passes: an outage, or a transaction that others had rolled back at
 * each attempt (retry.ts). Every part that answers callers uses it, so that no part answers an outage with 500.
 * @returns AppError `unavailable` with the error as its cause; undefined for all other errors
 */
export function passingFault(error: unknown): AppError | undefined {
  if (wasRolledBack(error))
    return new AppError(
      'unavailable',
      'there are too many concurrent changes to the same data, try again shortly',
      { cause: error, retryAfterSeconds: 1 },
    );
  if (databaseOutage(error) === undefined) return undefined;
  return new AppError('unavailable', 'the database cannot be reached, try again shortly', {
    cause: error,
    retryAfterSeconds: OUTAGE_SECONDS,
  });
}
