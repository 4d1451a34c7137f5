import type { OpenSession } from './open-sessions';

/** A client from the gate to the end of its recording: one that waits for its target can be asked to leave, too. */
export class ClientVisit implements OpenSession {
  private readonly leaving = new AbortController();
  private relay: OpenSession | undefined;

  /** Aborts when the gateway stops before there is a relay. */
  get stopped(): AbortSignal {
    return this.leaving.signal;
  }

  reached(relay: OpenSession): void {
    this.relay = relay;
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
