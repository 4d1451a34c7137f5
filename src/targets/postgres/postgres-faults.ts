import type { DatabaseError } from 'pg';
import { postgresql } from '../../languages/postgresql';

/** Faults between the gateway and a target that the gateway itself finds. */
export type TargetFaultCode =
  | 'NO_TLS'
  | 'TLS_FAILED'
  | 'NO_METHOD'
  | 'NOT_POSTGRES'
  | 'TOO_LARGE'
  | 'ENCODING'
  | 'STRINGS'
  | 'CLOSED'
  | 'TIMED_OUT'
  | 'STOPPED';

export class TargetFault extends Error {
  constructor(
    readonly code: TargetFaultCode,
    options?: ErrorOptions,
  ) {
    super(targetFaults[code], options);
  }
}

const targetFaults: Readonly<Record<TargetFaultCode, string>> = {
  NO_TLS: 'The database does not support TLS, but the SSLMODE of this connection requires it.',
  TLS_FAILED: 'TLS with the database could not be established.',
  NO_METHOD: 'The database requires an authentication method other than SCRAM, MD5 or a password.',
  NOT_POSTGRES: 'The database answered with something that is not the PostgreSQL protocol.',
  TOO_LARGE: 'The database sent more than the gateway can hold.',
  ENCODING: 'The database does not use UTF8 for the gateway.',
  STRINGS: 'The database does not read strings as the SQL standard does, though the gateway asked for it.',
  CLOSED: 'The database closed the connection.',
  TIMED_OUT: 'The database could not be reached: it did not answer in time.',
  STOPPED: 'The session ended before the database answered.',
};

/**
 * Returns the fault of a connection in plain words. The text never contains the host, user or database, which
 * are part of the secret.
 */
export function connectionFault(error: unknown): string {
  if (error instanceof TargetFault) return targetFaults[error.code];
  const { code } = error as { code?: string };
  return (
    driverFault(error) ||
    (code !== undefined && connectionFaults[code]) ||
    'The database could not be reached.'
  );
}

const connectionFaults: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'The database could not be reached: the connection was refused.',
  ECONNRESET: targetFaults.CLOSED,
  EPIPE: targetFaults.CLOSED,
  EHOSTUNREACH: 'The database could not be reached: there is no route to its host.',
  ENETUNREACH: 'The database could not be reached: there is no route to its network.',
  ENOTFOUND: 'The database could not be reached: its host name is unknown.',
  EAI_AGAIN: 'The database could not be reached: its host name could not be looked up.',
  ETIMEDOUT: targetFaults.TIMED_OUT,
  '28P01': 'The database refused the user or the password of this connection.',
  '28000': 'The database refused the user of this connection.',
  '3D000': 'The database of this connection does not exist.',
  '42501': 'The user of this connection may not open its database.',
  '53300': 'The database has no connections left.',
  '57P03': 'The database is starting up or shutting down.',
};

/**
 * SQLSTATE for an invalid start-up parameter. Among the parameters that the gateway itself sets, only the
 * role can be invalid.
 */
const INVALID_VALUE = '22023';
const NO_ROLE =
  'The database does not let the user of this connection act as your role, or has no such role.';

function driverFault(error: unknown): string | undefined {
  const { message = '', code = '' } = error as { message?: string; code?: string };
  if (code === INVALID_VALUE || (code === '42501' && message.includes('set role'))) return NO_ROLE;
  if (message.startsWith('SASL')) return connectionFaults['28P01'];
  if (isCertificateFault(error)) return 'The certificate of the database could not be verified.';
  return undefined;
}

/**
 * Whether an error is about a certificate: its code is from OpenSSL's check of the chain, or from Node.js's
 * check of the host name.
 */
export function isCertificateFault(error: unknown): boolean {
  const { code = '' } = error as { code?: string };
  return /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ERR_TLS/.test(code);
}

/** SQLSTATEs of a syntax error, and of a COPY that was canceled because a script has no data for it. */
const SYNTAX_ERROR = '42601';
const QUERY_CANCELED = '57014';

/** Returns the gateway's hint for a syntax error or a canceled statement; undefined if it has none. */
export function faultHint({ code }: DatabaseError, script: string): string | undefined {
  return code === SYNTAX_ERROR || code === QUERY_CANCELED ? postgresql.hint?.(script) : undefined;
}

/** Returns the error of a statement in the form of psql, with its SQLSTATE. */
export function statementFault(error: DatabaseError, hint?: string): string {
  const lines = [`${error.severity ?? 'ERROR'}: ${error.message} (SQLSTATE ${error.code ?? 'XX000'})`];
  if (error.detail) lines.push(`DETAIL: ${error.detail}`);
  if (error.hint) lines.push(`HINT: ${error.hint}`);
  if (hint !== undefined) lines.push(`HINT: ${hint}`);
  if (error.position) lines.push(`POSITION: ${error.position}`);
  return `${lines.join('\n')}\n`;
}
