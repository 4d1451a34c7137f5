import { UpstreamFault } from './contract';
import { wayFault } from './faults';

/** Limits the wait of an exchange for the server's next message, by time and by the caller's signal. */
export class Patience {
  private readonly controller = new AbortController();
  private timer: NodeJS.Timeout;
  private isLate = false;
  private isOver = false;
  private readonly cancel = (): void => this.controller.abort();

  constructor(
    private readonly caller: AbortSignal | undefined,
    private readonly ms: number,
  ) {
    this.timer = this.started();
    caller?.addEventListener('abort', this.cancel);
    if (caller?.aborted === true) this.cancel();
  }

  /** Aborts at the time-out, or when the caller's signal aborts. */
  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Restarts the time-out after a message of the server. */
  heard(): void {
    if (!this.isOver) this.timer.refresh();
  }

  /** Pauses the time-out during `work`, because the gateway does this work and not the server. */
  async without(work: () => unknown): Promise<void> {
    const done = work();
    if (!(done instanceof Promise)) return;
    clearTimeout(this.timer);
    await done;
    if (!this.isOver) this.timer = this.started();
  }

  /** Returns the fault for the caller. Only changes errors that are about cancellation or a time-out. */
  faultOf(error: unknown): unknown {
    const { reason, cause, mayHaveRun: isSent } = wayFault(error, true);
    if (this.caller?.aborted === true)
      return new UpstreamFault('cancelled', 'The request was cancelled.', { isSent });
    if (!this.isLate) return error;
    const seconds = Math.ceil(this.ms / 1000);
    return new UpstreamFault(
      reason,
      reason === 'unreachable'
        ? `The MCP server could not be reached within ${seconds} s.`
        : `The MCP server sent no message for ${seconds} s.`,
      { cause, isSent },
    );
  }

  /** Removes the time-out. The caller's signal still ends the wait. */
  endSilence(): void {
    this.isOver = true;
    clearTimeout(this.timer);
  }

  /** Ends the wait, without aborting the reading of the remaining answer. */
  end(): void {
    this.endSilence();
    this.caller?.removeEventListener('abort', this.cancel);
  }

  private started(): NodeJS.Timeout {
    return setTimeout(() => {
      this.isLate = true;
      this.controller.abort();
    }, this.ms);
  }
}
