import type { Target } from './target-directory';

/** Port: stores whether the gateway's last attempt to open a target succeeded. */
export abstract class TargetReachability {
  /**
   * Stores the result of an attempt to open the target.
   * @param isReachable false if the target did not answer, or refused the gateway. Callers must not report
   * faults that a client caused, such as a start-up parameter that the target refuses.
   * @returns a promise that resolves when the result is stored or could not be stored; it never rejects.
   * Sessions do not wait for it.
   */
  abstract note(target: Pick<Target, 'orgId' | 'id'>, isReachable: boolean): Promise<void>;

  /**
   * Like `note`, for callers that report many times a second. A result that was stored a few seconds ago is
   * not stored again.
   */
  abstract noteOften(target: Pick<Target, 'orgId' | 'id'>, isReachable: boolean): Promise<void>;
}
