import { DatabaseError } from 'pg';
import { connectionFault } from '../../targets/postgres/postgres-faults';
import type { PostgresSecret } from '../../targets/postgres/target-tls';

/** Fields of the ErrorResponse by which a client is told. */
export interface RefusalFields {
  readonly severity: string;
  /** SQLSTATE. */
  readonly code: string;
  readonly message: string;
  readonly detail?: string;
  readonly hint?: string;
}

/** The target could not be reached, or would not have us. It carries no cause: that may name the host, and would be logged. */
export class UpstreamRefused extends Error {
  /** @param isOfTheTarget whether any client would have been refused: nothing that this one said is the cause. */
  constructor(
    readonly fields: RefusalFields,
    readonly isOfTheTarget = false,
  ) {
    super(fields.message);
  }
}

/** The driver could not get through: no such server, no TLS, no answer. */
const UNABLE_TO_CONNECT = '08001';
/** The server would not have us: our user, password or database, which are none of the client's. */
const REJECTED = '08004';
const SHUTTING_DOWN = '57P01';

/** SQLSTATEs that mean the same to the client as to us, and that drivers know to try again after. */
const ITS_OWN = new Set(['53300', '57P03']);

/** Classes of errors about a start-up parameter's name, value or right; `08P01` is what a pooler says that does not know one. */
const OF_PARAMETERS = /^(22...|42...|55P02|08P01)$/;

/**
 * What the client is told. Its own parameters are its own affair, so the server's words go through; what
 * concerns host, user, password and database is the secret's, and is said in words of ours.
 */
export function upstreamRefusal(error: unknown, secret: PostgresSecret): UpstreamRefused {
  if (!(error instanceof DatabaseError && OF_PARAMETERS.test(error.code ?? '')))
    return plainly(sqlState(error), connectionFault(error), !isStopped(error));
  if (!tells(error, secret)) return new UpstreamRefused(fieldsOf(error));
  // The server's word for a user who may not open the database, too.
  if (error.code === '42501') return plainly(REJECTED, connectionFault(error), true);
  return plainly(error.code ?? REJECTED, 'The database refused a start-up parameter of the client.', false);
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

/** Whole words only: a database that is called `a` is in every sentence. */
function hasWord(text: string, word: string): boolean {
  const isInWord = (at: number): boolean => /[\p{L}\p{N}_]/u.test(text.charAt(at));
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1))
    if (!isInWord(at - 1) && !isInWord(at + word.length)) return true;
  return false;
}
