import type { Principal } from '../../kernel/principal';
import type { SessionTrail } from './session-recorder';
import type { Target } from './target-directory';

/** A script that people were asked about, in the session that waits with it. */
export interface PendingExecution {
  readonly orgId: string;
  /** The id of the session. */
  readonly id: string;
  readonly reviewId: string;
  /** Who asked, as they stand now: the script runs with their access, whoever starts it. */
  readonly requester: Principal;
  readonly connectionId: string;
  readonly connectionName: string;
  /** As it was recorded. */
  readonly script: string;
}

/** Port: which scripts wait for people, and which of them may run now? */
export abstract class PendingExecutions {
  /**
   * @throws AppError `not_found` to those who may not know of it; `forbidden` to all but the requester and admins, and where
   * the requester may no longer act; `conflict` where nobody was asked.
   */
  abstract find(actor: Principal, sessionId: string): Promise<PendingExecution>;

  /**
   * Claims the approval, and the session with it, for its one execution: of all who try, on whichever gateway, one does. The
   * recording goes on where it stands. Its end is the end of the execution.
   * @param inputHash Of what would run (`inputHash` in script-input).
   * @throws AppError `conflict` with the reason; nothing has changed then.
   */
  abstract claim(pending: PendingExecution, target: Target, inputHash: Buffer): Promise<SessionTrail>;
}
