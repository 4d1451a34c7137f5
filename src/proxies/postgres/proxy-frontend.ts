import type { CancelRequest, SignedInClient } from './signed-in-client';

/** Serves clients that are signed in. */
export abstract class ProxyFrontend {
  /**
   * Takes over the client: sends AuthenticationOk or a FATAL error, and resolves when the client has been
   * served. The listener then closes the socket.
   * @param entered to be called once the client is let in: the next one may be let in then
   */
  abstract serve(client: SignedInClient, entered: () => void): Promise<void>;

  /**
   * Handles a CancelRequest without an answer. Resolves once the target or the other gateways have the
   * request: the duration is all that a client can observe.
   */
  abstract cancel(request: CancelRequest): Promise<void>;
}
