import type { CancelRequest, SignedInClient } from './signed-in-client';

/** What becomes of clients once they are signed in. */
export abstract class ProxyFrontend {
  /**
   * Takes over the client: sends AuthenticationOk or a FATAL error, and resolves when the visit is over. The
   * listener then closes the socket.
   */
  abstract serve(client: SignedInClient): Promise<void>;

  /** Never tells whether there was anything to cancel. */
  abstract cancel(request: CancelRequest): Promise<void>;
}
