import { EXIT_BLOCKED } from '../../gate/ports/session-end';
import type { ErrorFields } from './wire/error-fields';

/** The end of a session: its code and its cause. */
export interface Ending {
  readonly exitCode: number;
  /** Message that is recorded as the last event of the session; undefined when there is nothing to record. */
  readonly cause?: string;
  /** The last error for the client; undefined when the client has the error already or is gone. */
  readonly lastWord?: ErrorFields;
}

/** Exit codes of psql: 0 for a clean end, 2 for a lost connection. */
const EXIT_CLEAN = 0;
const EXIT_LOST = 2;

export const CLIENT_LEFT: Ending = { exitCode: EXIT_CLEAN };

export const HUNG_UP: Ending = {
  exitCode: EXIT_LOST,
  cause: 'The client closed the connection without saying good-bye.',
};

export const CLIENT_LOST: Ending = {
  exitCode: EXIT_LOST,
  cause: 'The connection of the client was lost.',
};

/** The server ended the session, and the client received the server's error. */
export const SERVER_ENDED: Ending = { exitCode: EXIT_LOST };

export const SERVER_LOST: Ending = {
  exitCode: EXIT_LOST,
  cause: 'The connection to the database was lost.',
  // SQLSTATE connection_failure
  lastWord: fatal('08006', 'The connection to the database was lost.'),
};

/**
 * Returns the ending of a session with one of these SQLSTATE codes: 57P01 is admin_shutdown, 57P05
 * idle_session_timeout, 08P01 protocol_violation, 58000 system_error, 0A000 feature_not_supported.
 */
export function endedBy(code: '57P01' | '57P05' | '08P01' | '58000' | '0A000', message: string): Ending {
  return { exitCode: EXIT_BLOCKED, cause: message, lastWord: fatal(code, message) };
}

function fatal(code: string, message: string): ErrorFields {
  return { severity: 'FATAL', code, message };
}
