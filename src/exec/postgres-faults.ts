import type { DatabaseError } from 'pg';

/** A fault of the connection in plain words. Never the host, user or database: they are part of the secret. */
export function connectionFault(error: unknown): string {
  const { code } = error as { code?: string };
  return (
    (code !== undefined && connectionFaults[code]) ||
    driverFault(error) ||
    'The database could not be reached.'
  );
}

const connectionFaults: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'The database could not be reached: the connection was refused.',
  ECONNRESET: 'The database closed the connection.',
  EHOSTUNREACH: 'The database could not be reached: there is no route to its host.',
  ENETUNREACH: 'The database could not be reached: there is no route to its network.',
  ENOTFOUND: 'The database could not be reached: its host name is unknown.',
  EAI_AGAIN: 'The database could not be reached: its host name could not be looked up.',
  ETIMEDOUT: 'The database could not be reached: it did not answer in time.',
  '28P01': 'The database refused the user or the password of this connection.',
  '28000': 'The database refused the user of this connection.',
  '3D000': 'The database of this connection does not exist.',
  '53300': 'The database has no connections left.',
  '57P03': 'The database is starting up or shutting down.',
};

function driverFault(error: unknown): string | undefined {
  const { message = '', code = '' } = error as { message?: string; code?: string };
  if (message.startsWith('SASL')) return connectionFaults['28P01'];
  if (message.includes('does not support SSL'))
    return 'The database does not speak TLS, and this connection asks for it.';
  if (/CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ERR_TLS/.test(code))
    return 'The certificate of the database could not be verified.';
  if (message.includes('timeout')) return connectionFaults['ETIMEDOUT'];
  return undefined;
}

/** An error of a statement, as psql shows it, with its SQLSTATE. */
export function statementFault(error: DatabaseError): string {
  const lines = [`${error.severity ?? 'ERROR'}: ${error.message} (SQLSTATE ${error.code ?? 'XX000'})`];
  if (error.detail) lines.push(`DETAIL: ${error.detail}`);
  if (error.hint) lines.push(`HINT: ${error.hint}`);
  if (error.position) lines.push(`POSITION: ${error.position}`);
  return `${lines.join('\n')}\n`;
}
