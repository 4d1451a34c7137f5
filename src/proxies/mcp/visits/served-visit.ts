import type { JsonObject } from '../../../kernel/json/json';
import type { MaybePromise } from '../../../kernel/async/maybe-promise';
import type { SubscriptionFilter, UpstreamRequest } from '../../../targets/mcp/upstream';
import type { Arrival } from '../http/arrival';
import type { ClientAnswer } from '../client/client-answer';
import type { RequestingClient } from '../client/requesting-client';
import type { ChangeReceiver } from './visit';

/**
 * Interface of a visit for clients of both eras: a visit at a connection, or at our own tools. See `Visit`.
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
    /** The client gives no input for the request of this number. Never rejects; idempotent. */
    abandon(serial: number, why: string): Promise<void>;
  };
  readonly ended: AbortSignal;
  use<T>(work: () => Promise<T>): Promise<T>;
  /**
   * Does work while a stream of the client is open: meanwhile the visit does
   * not end to make room for another one.
   */
  streaming<T>(work: () => Promise<T>): Promise<T>;
  /** Called when a stream of changes ended: restarts the time after which an unused visit ends. */
  used(): MaybePromise<void>;
  listen(wanted: SubscriptionFilter, listener: ChangeReceiver): Promise<SubscriptionFilter>;
  /**
   * The client reports that its roots changed. Resolves when the server was notified, if it takes such a
   * notification. Never rejects.
   */
  rootsChanged(): Promise<void>;
  /** Records a message of the gateway itself, which the client gets next. */
  record(message: JsonObject): Promise<void>;
  close(exitCode: number, cause?: string): Promise<void>;
}

/** Opens visits. See `Visits`. */
export interface VisitOpener {
  ofModernClient(arrival: Arrival): Promise<ServedVisit>;
  enter(arrival: Arrival, onEnd: () => void): Promise<ServedVisit>;
}
