import type { Principal } from '../../../kernel/principal';
import type { ClientFacts } from './modern-request';

/** A request with its principal, its connection and its client. */
export interface Arrival {
  readonly principal: Principal;
  /** Name or id of the connection; empty at the endpoint of the gateway's own tools. */
  readonly connection: string;
  readonly client: ClientFacts;
  readonly address: string;
  /** The person's reason for the access; null without one. */
  readonly reason: string | null;
  /** W3C trace context of the first message. */
  readonly traceparent: string | undefined;
  /** Id of the HTTP request, as in its log lines. */
  readonly requestId: string;
  /**
   * Token with which the gateway's own tools call the API. Set only at their endpoint, and never sent to a
   * connection's server.
   */
  readonly caller?: { readonly bearer: string };
}

/** A request whose principal is known, but whose client is not known yet. */
export type SignedArrival = Omit<Arrival, 'client'>;
