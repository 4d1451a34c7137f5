import { DatabaseError } from 'pg';
import { connectionFault } from '../../targets/postgres/postgres-faults';
import type { PostgresSecret } from '../../targets/postgres/target-tls';

/** Fields of the ErrorResponse for the client. */
export interface RefusalFields {
  readonly severity: string;
  /** SQLSTATE. */
  readonly code: string;
  readonly message: string;
  readonly detail?: string;
  readonly hint?: string;
}

/**
 * Error: the target could not be reached, or it refused the connection. It has no `cause`, because errors are
 * logged and a cause may contain the host.
 */
export class UpstreamRefused extends Error {
  /**
   * @param isOfTheTarget whether any client would be refused; false if this client caused the refusal
   * @param isQuoted whether the fields are the server's own texts, which may contain data of a table
   */
  constructor(
    readonly fields: RefusalFields,
    readonly isOfTheTarget = false,
    readonly isQuoted = false,
  ) {
    super(fields.message);
  }
}

/** SQLSTATE for a target that could not be reached: no such server, no TLS, or no answer. */
const UNABLE_TO_CONNECT = '08001';
/** SQLSTATE for a server that refused the user, password or database of the connection's secret. */
const REJECTED = '08004';
const SHUTTING_DOWN = '57P01';

/**
 * SQLSTATEs that are forwarded, because their cause (the server is full, or is starting or stopping) also
 * affects the client. Drivers try again after them.
 */
const ITS_OWN = new Set(['53300', '57P03']);

/**
 * Matches SQLSTATEs about a start-up parameter's name, value or permission. Poolers send `08P01` for an
 * unknown parameter.
 */
const OF_PARAMETERS = /^(22...|42...|55P02|08P01)$/;

/**
 * Returns the error for the client. If the fault is in the client's own parameters, the error contains the
 * server's message. If the fault is in host, user, password or database, it contains a message of the
 * gateway, because these values are secret.
 */
export function upstreamRefusal(error: unknown, secret: PostgresSecret): UpstreamRefused {
  if (!(error instanceof DatabaseError && OF_PARAMETERS.test(error.code ?? '')))
    return plainly(sqlState(error), connectionFault(error), !isStopped(error));
  if (!tells(error, secret)) return new UpstreamRefused(fieldsOf(error), false, true);
  // The server also sends 42501 if the user may not open the database.
  if (error.code === '42501') return plainly(REJECTED, connectionFault(error), true);
  return withoutQuote(error.code ?? REJECTED);
}

/** Returns the error for the client in place of server texts that the client must not see. */
export function withoutQuote(code: string): UpstreamRefused {
  return plainly(code, 'The database refused a start-up parameter of the client.', false);
}

function plainly(code: string, message: string, isOfTheTarget: boolean): UpstreamRefused {
  return new UpstreamRefused({ severity: 'FATAL', code, message }, isOfTheTarget);
}

function isStopped(error: unknown): boolean {
  return (error as { code?: string }).code === 'STOPPED';
}

function sqlState(error: unknown): string {
  const { code = '', message = '' } = error as { code?: string; message?: string };
  if (isStopped(error)) return SHUTTING_DOWN;
  if (ITS_OWN.has(code)) return code;
  return error instanceof DatabaseError || message.startsWith('SASL') ? REJECTED : UNABLE_TO_CONNECT;
}

function fieldsOf({ code = '', message, detail, hint }: DatabaseError): RefusalFields {
  return {
    severity: 'FATAL',
    code,
    message,
    ...(detail === undefined ? {} : { detail }),
    ...(hint === undefined ? {} : { hint }),
  };
}

function tells({ message, detail, hint }: DatabaseError, secret: PostgresSecret): boolean {
  const text = [message, detail, hint].join('\n');
  return ['HOST', 'USER', 'PASS', 'DB'].some((name) => secret[name] && hasWord(text, secret[name]));
}

/** Matches whole words only, because otherwise a database called `a` would match every sentence. */
function hasWord(text: string, word: string): boolean {
  const isInWord = (at: number): boolean => /[\p{L}\p{N}_]/u.test(text.charAt(at));
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1))
    if (!isInWord(at - 1) && !isInWord(at + word.length)) return true;
  return false;
}
