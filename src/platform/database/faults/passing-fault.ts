import { AppError } from '../../../kernel/app-error';
import { databaseOutage } from './outage';
import { wasRolledBack } from './retry';
import { type SchemaAge, schemaFaultOf } from './schema-fault';

/** `Retry-After` for an outage: a restart or a failover takes some seconds. */
const OUTAGE_SECONDS = 5;
/** `Retry-After` during an upgrade: another gateway behind the load balancer may be upgraded already. */
const UPGRADE_SECONDS = 30;

const OTHER_SCHEMA: Readonly<Record<SchemaAge, string>> = {
  newer:
    'this gateway is older than its database, and this request needs what a newer version has changed there: an administrator has to upgrade this gateway',
  older:
    'this gateway is newer than its database, and this request needs what was not migrated there: an administrator has to restart this gateway',
};

/**
 * Answer for a temporary fault of the database: an outage, a transaction that was rolled back at each attempt
 * because of other transactions (retry.ts), or a schema of another version (schema-watch.ts). Every part that
 * answers callers uses this function, so that no outage is answered with 500.
 * @returns AppError `unavailable` with the error as its cause; undefined for all other errors
 */
export function passingFault(error: unknown): AppError | undefined {
  if (wasRolledBack(error))
    return new AppError(
      'unavailable',
      'there are too many concurrent changes to the same data, try again shortly',
      { cause: error, retryAfterSeconds: 1 },
    );
  const age = schemaFaultOf(error);
  if (age !== undefined)
    return new AppError('unavailable', OTHER_SCHEMA[age], {
      cause: error,
      retryAfterSeconds: UPGRADE_SECONDS,
    });
  if (databaseOutage(error) === undefined) return undefined;
  return new AppError('unavailable', 'the database cannot be reached, try again shortly', {
    cause: error,
    retryAfterSeconds: OUTAGE_SECONDS,
  });
}

/**
 * Throws the error, converted to `unavailable` if it is a temporary fault of the database. Implementations of
 * the gate's ports use this, because the gate must not treat an outage or another schema as a failed judgment
 * or recording.
 */
export function throwPassing(error: unknown): never {
  throw passingFault(error) ?? error;
}
