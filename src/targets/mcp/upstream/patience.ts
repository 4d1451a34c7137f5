import { UpstreamFault } from './contract';
import { wayFault } from './faults';

/** Time that an exchange waits for the server's next message; ended by that time or by the caller. */
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

  /** Aborts when waiting is over. */
  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** The server sent a message: the time begins anew. */
  heard(): void {
    if (!this.isOver) this.timer.refresh();
  }

  /** Stops the time during this work, which is the gateway's. */
  async without(work: () => unknown): Promise<void> {
    const done = work();
    if (!(done instanceof Promise)) return;
    clearTimeout(this.timer);
    await done;
    if (!this.isOver) this.timer = this.started();
  }

  /** The fault for the caller. An error that is no fault of the server goes on as it is. */
  faultOf(error: unknown): unknown {
    if (this.caller?.aborted === true) return new UpstreamFault('cancelled', 'The request was cancelled.');
    if (!this.isLate) return error;
    const { reason } = wayFault(error, true);
    const seconds = Math.ceil(this.ms / 1000);
    return new UpstreamFault(
      reason,
      reason === 'unreachable'
        ? `The MCP server could not be reached within ${seconds} s.`
        : `The MCP server sent no message for ${seconds} s.`,
    );
  }

  /** Silence is no fault any more; the caller still ends it. */
  endSilence(): void {
    this.isOver = true;
    clearTimeout(this.timer);
  }

  /** Waiting is over. What is still read of the answer is not aborted. */
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
