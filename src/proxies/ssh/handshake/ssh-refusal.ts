import { AppError } from '../../../kernel/app-error';
import { passingFault } from '../../../platform/database/faults/passing-fault';

/** Why a client was not signed in, for the log. SSH has no words for the client: only "permission denied". */
export type SshRefusalReason =
  | 'bad_credential'
  | 'crowded'
  | 'fault'
  | 'guesser'
  | 'late'
  | 'left'
  | 'malformed'
  | 'proxy_header'
  | 'stopping'
  | 'too_many_attempts'
  | 'unavailable'
  | 'unknown_key';

/** Thrown to end a sign-in, or to refuse one attempt of it. */
export class SshRefusal extends Error {
  constructor(
    readonly reason: SshRefusalReason,
    cause?: unknown,
  ) {
    super(reason, { cause });
    this.name = 'SshRefusal';
  }
}

/** Converts an error during sign-in to the refusal that is logged. */
export function sshRefusalOf(error: unknown): SshRefusal {
  if (error instanceof SshRefusal) return error;
  if (error instanceof AppError) {
    if (error.code === 'unauthenticated') return new SshRefusal('bad_credential');
    return new SshRefusal(error.code === 'too_many_requests' ? 'guesser' : 'unavailable', error);
  }
  return new SshRefusal(passingFault(error) === undefined ? 'fault' : 'unavailable', error);
}
