import { databaseOutage } from '../../../database/outage';
import { AppError } from '../../../kernel/app-error';
import { sqlStateOf } from '../sql-states';
import type { ErrorFields } from '../wire/error-fields';

/** For the log: why a client was not signed in. */
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
  | 'stopping'
  | 'tls'
  | 'unavailable'
  | 'wrong_connection';

/** Ends a handshake. */
export class Refusal extends Error {
  /** @param fields what the client is told; undefined: nothing, the connection is only closed. */
  constructor(
    readonly reason: RefusalReason,
    readonly fields: ErrorFields | undefined,
    cause?: unknown,
  ) {
    super(fields?.message ?? reason, { cause });
    this.name = 'Refusal';
  }
}

/** A refusal in one plain sentence. */
export function refusal(reason: RefusalReason, code: string, message: string, hint?: string): Refusal {
  return new Refusal(reason, { severity: 'FATAL', code, message, hint });
}

export function malformed(why: string): Refusal {
  return refusal('malformed', '08P01', why);
}

/** One and the same for whatever is wrong with a credential: nobody learns which names exist. */
export function badCredential(): Refusal {
  return refusal('bad_credential', '28P01', 'The user name or the password is wrong, or no longer good.');
}

/** What a client is told of an error that came up while it signed in. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof AppError) return refusalOfAppError(error);
  if (databaseOutage(error) !== undefined)
    return withCause('unavailable', 'unavailable', 'The database of the gateway cannot be reached.', error);
  return withCause('fault', 'internal', 'The gateway has failed. Please tell an administrator.', error);
}

function refusalOfAppError({ code, message, cause }: AppError): Refusal {
  if (code === 'unauthenticated') return badCredential();
  return withCause(code === 'too_many_requests' ? 'guesser' : 'unavailable', code, message, cause);
}

function withCause(
  reason: RefusalReason,
  code: keyof typeof sqlStateOf,
  message: string,
  cause: unknown,
): Refusal {
  return new Refusal(reason, { severity: 'FATAL', code: sqlStateOf[code], message }, cause);
}
