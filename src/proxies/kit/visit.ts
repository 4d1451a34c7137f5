import type { OpenSession } from './open-sessions';

/**
 * The time that one client is served, from the opening of its session until its recording is closed. The
 * gateway can end it even before the target answers.
 */
export class ClientVisit implements OpenSession {
  private readonly leaving = new AbortController();
  private relay: OpenSession | undefined;

  /** @param entered called when the target has answered */
  constructor(private readonly entered: () => void) {}

  /** Aborts when the gateway stops before the target has answered. */
  get stopped(): AbortSignal {
    return this.leaving.signal;
  }

  reached(relay: OpenSession): void {
    this.relay = relay;
    this.entered();
    if (this.stopped.aborted) relay.finish();
  }

  finish(): void {
    if (this.relay === undefined) this.leaving.abort();
    else this.relay.finish();
  }

  abort(): void {
    if (this.relay === undefined) this.leaving.abort();
    else this.relay.abort();
  }
}
