import { passingFault } from '../../../platform/database/faults/passing-fault';
import { wasRolledBack } from '../../../platform/database/faults/retry';
import { schemaFaultOf } from '../../../platform/database/faults/schema-fault';
import { AppError } from '../../../kernel/app-error';
import { SQL_STATES } from '../wire/sql-states';
import type { ErrorFields } from '../wire/error-fields';

/** Why a client was not signed in, for the log. */
export type RefusalReason =
  | 'bad_credential'
  | 'channel_binding'
  | 'clear_text'
  | 'crowded'
  | 'fault'
  | 'guesser'
  | 'late'
  | 'malformed'
  | 'no_tls'
  | 'no_user'
  | 'not_spoken'
  | 'proxy_header'
  | 'stopping'
  | 'tls'
  | 'unavailable'
  | 'wrong_connection';

/** Thrown to end a handshake. */
export class SignInRefusal extends Error {
  /** @param fields the error for the client; undefined to close the connection without an answer. */
  constructor(
    readonly reason: RefusalReason,
    readonly fields: ErrorFields | undefined,
    cause?: unknown,
  ) {
    super(fields?.message ?? reason, { cause });
    this.name = 'Refusal';
  }
}

/** Returns a refusal whose message for the client is one sentence. */
export function signInRefusal(
  reason: RefusalReason,
  code: string,
  message: string,
  hint?: string,
): SignInRefusal {
  return new SignInRefusal(reason, { severity: 'FATAL', code, message, hint });
}

export function malformedStartUp(why: string): SignInRefusal {
  return signInRefusal('malformed', '08P01', why);
}

/** Returns the same answer for every fault of a credential, so that it does not reveal which names exist. */
export function badCredential(): SignInRefusal {
  return signInRefusal('bad_credential', '28P01', 'The user name or the password is wrong or has expired.');
}

/** Converts an error during sign-in to the refusal that answers the client. */
export function signInRefusalOf(error: unknown): SignInRefusal {
  if (error instanceof SignInRefusal) return error;
  if (error instanceof AppError) return refusalOfAppError(error);
  const passing = passingFault(error);
  if (passing !== undefined) return withCause('unavailable', passing.code, wordsOf(passing, error), error);
  return withCause('fault', 'internal', 'The gateway has failed. Please tell an administrator.', error);
}

/**
 * Returns the message for a temporary fault of the gateway's database. There is a separate message for a
 * database schema of another version.
 */
function wordsOf(passing: AppError, error: unknown): string {
  const isOutage = schemaFaultOf(error) === undefined && !wasRolledBack(error);
  if (isOutage) return 'The database of the gateway cannot be reached.';
  return `${passing.message.charAt(0).toUpperCase()}${passing.message.slice(1)}.`;
}

function refusalOfAppError({ code, message, cause }: AppError): SignInRefusal {
  if (code === 'unauthenticated') return badCredential();
  return withCause(code === 'too_many_requests' ? 'guesser' : 'unavailable', code, message, cause);
}

function withCause(
  reason: RefusalReason,
  code: keyof typeof SQL_STATES,
  message: string,
  cause: unknown,
): SignInRefusal {
  return new SignInRefusal(reason, { severity: 'FATAL', code: SQL_STATES[code], message }, cause);
}
