import type { Socket } from 'node:net';
import { Client, type ClientConfig, type Query } from 'pg';

/**
 * Private parts of node-postgres that tests use. Tests must access them only through this file. The product
 * has a similar file, `src/targets/postgres/driver-parts.ts`.
 */
export interface WireUnder {
  readonly stream: Socket;
  startup(config: object): void;
  on(event: 'errorMessage', heard: (error: ErrorMessage) => void): void;
  on(event: 'parameterStatus', heard: (message: ParameterStatus) => void): void;
  once(event: 'copyInResponse', heard: () => void): void;
  removeAllListeners(): void;
}

export interface ErrorMessage {
  readonly severity: string;
  readonly code: string;
  readonly message: string;
}

export interface ParameterStatus {
  readonly parameterName: string;
  readonly parameterValue: string;
}

/** The driver's connection under a client. */
export function wireUnder(client: Client): WireUnder {
  return (client as unknown as { readonly connection: WireUnder }).connection;
}

/** The client's key from BackendKeyData. */
export function backendKeyOf(client: Client): { readonly processId: number; readonly secret: number } {
  const { processID, secretKey } = client as unknown as { processID: number; secretKey: number };
  return { processId: processID, secret: secretKey };
}

/** Opens a new connection, and sends a CancelRequest for the query that the client runs. */
export function cancelOn(config: string | ClientConfig, client: Client, query: Query): void {
  const canceling = new Client(config) as unknown as { cancel(client: Client, query: Query): void };
  canceling.cancel(client, query);
}
