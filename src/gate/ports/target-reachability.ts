import type { Target } from './target-directory';

/** Port: stores whether the gateway could open a target in the last attempt. */
export abstract class TargetReachability {
  /**
   * @param isReachable false: the target did not answer, or refused the gateway. Faults that a client caused
   * itself, such as a start-up parameter that the target refuses, must not be passed.
   * @returns resolves when the result is stored, or could not be stored; never
   * rejects. Sessions do not wait for it.
   */
  abstract note(target: Pick<Target, 'orgId' | 'id'>, isReachable: boolean): Promise<void>;

  /**
   * The same for callers that come many times a second: a result that was
   * stored a few seconds ago is not stored again.
   */
  abstract noteOften(target: Pick<Target, 'orgId' | 'id'>, isReachable: boolean): Promise<void>;
}
