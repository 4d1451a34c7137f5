import type { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { Client, type ClientConfig, Connection } from 'pg';

/**
 * Access to private parts of node-postgres, which no other file uses. A script must be read row by row and
 * with limits, over a socket that is already connected and has TLS; the driver has no public functions for
 * that. `driver-parts.spec.ts` fails when a version changes these parts.
 */

/** The members of a connection that a `Submittable` uses. */
export interface Wire {
  /** Sends a simple query. */
  query(text: string): void;
  sendCopyFail(message: string): void;
  readonly stream: {
    pause(): void;
    resume(): void;
    destroy(): void;
  };
  once(event: 'readyForQuery' | 'end', listener: () => void): void;
  on(event: 'copyOutResponse', listener: (message: { readonly binary: boolean }) => void): void;
}

export function wireOf(connection: Connection): Wire {
  return connection as unknown as Wire;
}

/** Returns the socket of a client, to close it at once. The driver has no function for this. */
export function streamOf(client: Client): { destroy(): void } {
  return (client as unknown as { connection: Wire }).connection.stream;
}

/** Returns the server's process id from BackendKeyData; null before this message. */
export function processIdOf(client: Client): number | null {
  return (client as unknown as { processID: number | null }).processID;
}

/** The driver's connection over a socket that is already open. */
export abstract class DriverConnection extends Connection {
  /** The driver sends Terminate only when this is set. */
  readonly _connecting = true;

  constructor(socket: Socket) {
    super({ stream: socket } as object);
  }

  /** Called by the driver to connect. */
  abstract connect(): void;

  /** Called by the driver after `connect` was emitted. */
  abstract startup(): void;

  /** Makes the driver parse the chunks of the event `data`, and respond to the messages. */
  protected readMessages(bytes: Pick<EventEmitter, 'on'>): void {
    (this as unknown as { attachListeners(stream: Pick<EventEmitter, 'on'>): void }).attachListeners(bytes);
  }
}

/** A client that uses this connection. */
export function clientOver(connection: DriverConnection, config: ClientConfig): Client {
  return new Client({ ...config, connection } as ClientConfig);
}
