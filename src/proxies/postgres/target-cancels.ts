/** Cancels what the target runs for one client. */
export class TargetCancels {
  private isWanted = false;
  private asking: Promise<void> | undefined;
  /** A refused result is being canceled: the client has to be paused. */
  isStoppingResult = false;

  /**
   * @param ask asks the target to cancel; resolves when the request has been sent. Never rejects.
   * @param isRunning whether the target runs anything for the client
   * @param stopped called when the client may go on after a result that was stopped
   */
  constructor(
    private readonly ask: () => Promise<void>,
    private readonly isRunning: () => boolean,
    private readonly stopped: () => void,
  ) {}

  /**
   * Cancels what runs, if anything; resolves when the request has been sent. At most one cancel is in flight,
   * also if the client asks again.
   */
  cancel(): Promise<void> {
    this.isWanted = true;
    this.asking ??= this.askWhileWanted().finally(() => {
      this.asking = undefined;
      if (this.isWanted) void this.cancel();
    });
    return this.asking;
  }

  /**
   * Cancels a refused result. The client is paused meanwhile, so that a late cancel cannot hit its next
   * command.
   */
  async stopResult(): Promise<void> {
    if (this.isStoppingResult) return;
    this.isStoppingResult = true;
    await this.ask();
    this.isStoppingResult = false;
    this.stopped();
  }

  private async askWhileWanted(): Promise<void> {
    while (this.isWanted) {
      this.isWanted = false;
      if (this.isRunning()) await this.ask();
    }
  }
}
