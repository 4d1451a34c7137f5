import type { MaybePromise } from '../../../kernel/async/maybe-promise';
import type { StreamAdmission } from '../calls/call-limits';

/**
 * The place of a stream of changes among the streams that a client may have. A subscription shares it with
 * the one that it replaces, so that a client at its limit can change its subscription.
 */
export class StreamPlace {
  private holders = 0;
  private leave: (() => void) | undefined;

  /**
   * Adds a holder. Must not be called again before it has resolved.
   * @param open reserves the place, if it has no holder
   */
  async enter(open: () => MaybePromise<StreamAdmission>): Promise<StreamAdmission> {
    if (this.leave === undefined) {
      const admission = await open();
      if (admission.kind === 'full') return admission;
      this.leave = admission.leave;
    }
    this.holders += 1;
    let isHeld = true;
    return {
      kind: 'place',
      leave: () => {
        if (!isHeld) return;
        isHeld = false;
        this.holders -= 1;
        if (this.holders > 0) return;
        this.leave?.();
        this.leave = undefined;
      },
    };
  }
}
