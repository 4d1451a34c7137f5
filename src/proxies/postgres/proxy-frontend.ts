import type { CancelRequest, SignedInClient } from './signed-in-client';

/** Serves signed-in clients. */
export abstract class ProxyFrontend {
  /**
   * Takes over the client: sends AuthenticationOk or a FATAL error, and resolves when the client has been
   * served. The listener then closes the socket.
   * @param entered to be called when the target has answered, so that the next waiting client may be served
   */
  abstract serve(client: SignedInClient, entered: () => void): Promise<void>;

  /**
   * Handles a CancelRequest; the client gets no answer. Resolves once the target or the other gateways have
   * received the request. The client can observe only how long this takes.
   */
  abstract cancel(request: CancelRequest): Promise<void>;
}
