import type { Principal } from '../../../kernel/principal';
import type { ClientFacts } from './modern-request';

/** A client and its request: the principal, the connection, the client. */
export interface Arrival {
  readonly principal: Principal;
  /** Name or id of the connection; empty at the endpoint of our own tools. */
  readonly connection: string;
  readonly client: ClientFacts;
  readonly address: string;
  /** Reason of the visit, in the words of the person; null for none. */
  readonly reason: string | null;
  /** W3C trace context of the first message. */
  readonly traceparent: string | undefined;
  /** Id of the HTTP request, which its log lines have. */
  readonly requestId: string;
  /**
   * At the endpoint of our own tools only: by this they call the API. No server of a connection ever gets it.
   */
  readonly caller?: { readonly bearer: string };
}

/** A message that arrives, before it is known which client sends it. */
export type SignedArrival = Omit<Arrival, 'client'>;
