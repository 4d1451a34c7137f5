import type { JsonObject } from '../../../kernel/json/json';
import type { MaybePromise } from '../../../kernel/async/maybe-promise';
import type { SubscriptionFilter, UpstreamRequest } from '../../../targets/mcp/upstream';
import type { Arrival } from '../http/arrival';
import type { ClientAnswer } from '../client/client-answer';
import type { RequestingClient } from '../client/requesting-client';
import type { ChangeReceiver } from './visit';

/**
 * A client's MCP session, in the form that the code for clients of both eras uses. The session is at a
 * connection, or at the gateway's own tools. See `Visit`.
 */
export interface ServedVisit {
  readonly session: {
    readonly id: string;
    readonly target: { readonly id: string; readonly name: string };
  };
  readonly relay: {
    request(
      request: UpstreamRequest,
      client: RequestingClient,
      resumes?: number,
    ): Promise<{ readonly answer: ClientAnswer; readonly serial: number }>;
    /**
     * Ends the request with this serial number, because the client gives no input. Never rejects; idempotent.
     */
    abandon(serial: number, why: string): Promise<void>;
  };
  readonly ended: AbortSignal;
  use<T>(work: () => Promise<T>): Promise<T>;
  /**
   * Does work while a client's stream is open. Meanwhile, the MCP session is not ended to make room for
   * another.
   */
  streaming<T>(work: () => Promise<T>): Promise<T>;
  /** Restarts the idle time of the MCP session. Called when a stream of changes ended. */
  used(): MaybePromise<void>;
  listen(wanted: SubscriptionFilter, listener: ChangeReceiver): Promise<SubscriptionFilter>;
  /**
   * Handles the client's notification that its roots changed. Resolves when the server was notified, or does
   * not accept such notifications. Never rejects.
   */
  rootsChanged(): Promise<void>;
  /** Records a message of the gateway itself, before the client gets it. */
  record(message: JsonObject): Promise<void>;
  close(exitCode: number, cause?: string): Promise<void>;
}

/** Opens MCP sessions of clients. See `Visits`. */
export interface VisitOpener {
  ofModernClient(arrival: Arrival): Promise<ServedVisit>;
  enter(arrival: Arrival, onEnd: () => void): Promise<ServedVisit>;
}
