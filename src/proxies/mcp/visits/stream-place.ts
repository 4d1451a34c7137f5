import type { MaybePromise } from '../../../kernel/async/maybe-promise';
import type { StreamAdmission } from '../calls/call-limits';

/**
 * One of the limited number of change streams that a client may have. A subscription shares it with the
 * subscription that it replaces, so that a client at its limit can change its subscription.
 */
export class StreamPlace {
  private holders = 0;
  private leave: (() => void) | undefined;
  private last: Promise<unknown> = Promise.resolve();

  /**
   * Adds a holder of the stream place.
   * @param open reserves the place at the limit, if the place has no holder
   */
  enter(open: () => MaybePromise<StreamAdmission>): Promise<StreamAdmission> {
    // Handles the calls one after another, so that two concurrent calls do not reserve two places.
    const entered = this.last.then(() => this.enterNext(open));
    this.last = entered.catch(() => undefined);
    return entered;
  }

  private async enterNext(open: () => MaybePromise<StreamAdmission>): Promise<StreamAdmission> {
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
