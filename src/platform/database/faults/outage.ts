import {
  QueryFailedError,
  QueryRunnerAlreadyReleasedError,
  QueryRunnerProviderAlreadyReleasedError,
} from 'typeorm';
import { messageOf } from '../../../kernel/app-error';

/** SQLSTATEs with which a server refuses connections, at least for the moment. */
const sqlStates: Readonly<Record<string, string>> = {
  '28000': 'refuses the user or the password',
  '28P01': 'refuses the user or the password',
  '3D000': 'has no database of that name',
  '53300': 'has no connections left',
  '57P01': 'is shutting down',
  '57P02': 'is shutting down',
  '57P03': 'is starting up or shutting down',
  // After a failover, connections may still lead to the server that was replaced.
  '25006': 'is a standby, which takes no changes',
};

const SOCKET_FAULT =
  /^(ECONNREFUSED|ECONNRESET|ECONNABORTED|ENOTCONN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETDOWN|ENETUNREACH|ENOTFOUND|EAI_AGAIN)$/;
/** Class 08 of the SQLSTATEs: connection exceptions. */
const CONNECTION_EXCEPTION = /^08[0-9A-Z]{3}$/;
/** Errors of the driver itself, which have no code. */
const DRIVER_FAULT =
  /^(Connection terminated|timeout (exceeded|expired)|Query read timeout|Client (has encountered a connection error|was closed))/;

/** Errors after a lost connection: TypeORM has released the connection and refuses the next statements. */
const LOST_CONNECTION = [QueryRunnerAlreadyReleasedError, QueryRunnerProviderAlreadyReleasedError];

/**
 * Returns advice for the case that a pooler in front of the database refuses the gateway's connections;
 * undefined for other faults. PgBouncer refuses each start-up parameter that it does not know, unless
 * `ignore_startup_parameters` names it.
 */
export function poolerAdvice(error: unknown): string | undefined {
  const [, parameter] = /unsupported startup parameter: (\w+)/.exec(messageOf(error)) ?? [];
  return parameter === undefined
    ? undefined
    : `Add ${parameter} to its ignore_startup_parameters, or let DATABASE_URL lead to the server itself.`;
}

/** Reason why the database cannot be used, to complete "the database …"; undefined for other faults. */
export function databaseOutage(error: unknown): string | undefined {
  if (error instanceof QueryFailedError) return databaseOutage(error.driverError);
  // A host name with several addresses causes one error for each address.
  if (error instanceof AggregateError) return databaseOutage(error.errors[0]);
  if (!(error instanceof Error)) return undefined;
  if (LOST_CONNECTION.some((kind) => error instanceof kind)) return 'cannot be reached';
  const { code } = error as { code?: unknown };
  if (typeof code === 'string') {
    if (SOCKET_FAULT.test(code) || CONNECTION_EXCEPTION.test(code)) return 'cannot be reached';
    return sqlStates[code];
  }
  return DRIVER_FAULT.test(error.message) ? 'cannot be reached' : undefined;
}
