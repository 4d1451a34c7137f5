import type { Target } from './target-directory';

/** Port: takes note of whether the gateway could open a target when it last tried. */
export abstract class TargetReachability {
  /**
   * @param isReachable false: the target did not answer, or did not let the gateway in. What a client brought about by
   * itself, such as a start-up parameter that the target refuses, is not noted.
   * @returns Resolves when it is stored, or could not be; never rejects. Sessions do not wait for it.
   */
  abstract note(target: Pick<Target, 'orgId' | 'id'>, isReachable: boolean): Promise<void>;
}
