import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { Principal } from '../kernel/principal';

/** A client whose credentials are good. AuthenticationOk is not sent yet: access and the target come first. */
export interface SignedInClient {
  /** Nobody listens to its data any more; paused. It has an error listener, so that a loss ends no process. */
  readonly socket: Socket | TLSSocket;
  /** Bytes that came after the last message of the handshake. */
  readonly rest: Buffer;
  /** Of StartupMessage, without user, database, replication and what begins with `_pq_.`. */
  readonly parameters: ReadonlyMap<string, string>;
  /** 3.0 or 3.2, as negotiated; the client has been told already. */
  readonly protocolMinor: 0 | 2;
  /** Connection name or id. With an issued credential always the id of its own connection. */
  readonly database: string;
  readonly principal: Principal;
  /** null: came with its own token or API key. */
  readonly credential: { readonly id: string; readonly expiresAt: Date } | null;
  readonly address: string;
}

/** Another connection's wish to stop what a session runs; answered by nothing but the end of the connection. */
export interface CancelRequest {
  readonly processId: number;
  readonly key: Buffer;
  readonly address: string;
}
