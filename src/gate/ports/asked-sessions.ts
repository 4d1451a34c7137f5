import type { Principal } from '../../kernel/principal';
import type { SessionTrail } from './session-recorder';
import type { Target } from './target-directory';

/** A session whose script was put before people. */
export interface AskedSession {
  readonly orgId: string;
  readonly id: string;
  readonly reviewId: string;
  /** Who asked, as they stand now: it runs by what they may do, whoever says that it shall. */
  readonly requester: Principal;
  readonly connectionId: string;
  readonly connectionName: string;
  /** As it was recorded. */
  readonly script: string;
}

/** Port: which scripts wait for people, and which of them may run now? */
export abstract class AskedSessions {
  /**
   * @throws AppError `not_found` to those who may not know of it; `forbidden` to all but who asked and admins, and where
   * who asked may no longer act; `conflict` where nobody was asked.
   */
  abstract find(actor: Principal, sessionId: string): Promise<AskedSession>;

  /**
   * Takes the approval, and the session with it, for its one execution: of all who try, on whichever gateway, one does. The
   * recording goes on where it stands. Its end is the end of the execution.
   * @param inputHash Of what would run (`inputHash` in script-input).
   * @throws AppError `conflict` with the reason; nothing has changed then.
   */
  abstract take(asked: AskedSession, target: Target, inputHash: Buffer): Promise<SessionTrail>;
}
