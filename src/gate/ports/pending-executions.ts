import type { Principal } from '../../kernel/principal';
import type { SessionTrail } from './session-recorder';
import type { Target } from './target-directory';

/** A script that has a review, and the session that waits to run it. */
export interface PendingExecution {
  readonly orgId: string;
  /** The id of the session. */
  readonly id: string;
  readonly reviewId: string;
  /**
   * The requester with current role and groups. The script runs with their access, even if another person
   * starts it.
   */
  readonly requester: Principal;
  readonly connectionId: string;
  readonly connectionName: string;
  /** The recorded script. */
  readonly script: string;
}

/** Port: finds scripts that wait for a review, and claims approved ones. */
export abstract class PendingExecutions {
  /**
   * Finds the script of a session that waits for its review.
   * @throws AppError `not_found` to people who may not see the session; `forbidden` to all but the requester
   * and admins, and when the requester may no longer act; `conflict` when there is no review.
   */
  abstract find(actor: Principal, sessionId: string): Promise<PendingExecution>;

  /**
   * Makes the checks of `claim` but changes nothing, so that a script that may not run is not judged. The
   * approval may change afterwards, so `claim` checks again.
   * @param inputHash as for `claim`
   * @throws AppError `conflict` with the reason
   */
  abstract requireUsable(pending: PendingExecution, inputHash: Buffer): Promise<void>;

  /**
   * Claims the approval and its session for the one execution. When several gateways try, exactly one
   * succeeds. The recording of the session continues, and its end is the end of the execution.
   * @param inputHash hash of the input to run (`inputHash` in script-input).
   * @throws AppError `conflict` with the reason; then nothing has changed.
   */
  abstract claim(pending: PendingExecution, target: Target, inputHash: Buffer): Promise<SessionTrail>;
}
