import type { CancelRequest, SignedInClient } from './signed-in-client';

/** What becomes of clients once they are signed in. */
export abstract class ProxyFrontend {
  /**
   * Takes over the client: sends AuthenticationOk or a FATAL error, and resolves when the visit is over. The
   * listener then closes the socket.
   */
  abstract serve(client: SignedInClient): Promise<void>;

  /** Sends no answer. Resolves once the target, or the other gateways, have been told: only this time can differ. */
  abstract cancel(request: CancelRequest): Promise<void>;
}
