/** Cancels the running command of one client at the target. */
export class TargetCancels {
  private isWanted = false;
  private asking: Promise<void> | undefined;
  /** Whether a refused result is being canceled. The client must be paused meanwhile. */
  isStoppingResult = false;

  /**
   * @param ask requests the target to cancel; resolves when the request has been sent, and never rejects
   * @param isRunning whether the target runs a command of the client
   * @param stopped called when a refused result was canceled, so that the client may continue
   */
  constructor(
    private readonly ask: () => Promise<void>,
    private readonly isRunning: () => boolean,
    private readonly stopped: () => void,
  ) {}

  /**
   * Cancels the running command, if any. Resolves when the request has been sent. At most one request is in
   * flight, even if the client sends several cancel requests.
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
   * Cancels a refused result. Pauses the client meanwhile, so that a late cancel cannot hit the client's next
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
