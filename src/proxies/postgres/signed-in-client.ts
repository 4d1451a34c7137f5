import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { Principal } from '../../kernel/principal';
import type { AskedProtocol } from './handshake/protocol-version';
import type { Setting } from './handshake/start-up-options';

/**
 * A client whose credentials are accepted. Before AuthenticationOk is sent, access is checked and the target
 * is dialed.
 */
export interface SignedInClient {
  /**
   * The client's socket: paused, without a data listener. It has an error listener, so that a lost connection
   * does not end the process.
   */
  readonly socket: Socket | TLSSocket;
  /** Bytes that the client sent after the last message of the handshake. */
  readonly rest: Buffer;
  /** Settings of the start-up message, in order and not judged yet. */
  readonly settings: readonly Setting[];
  /** Requested protocol version. It is not answered yet, because the answer depends on the target. */
  readonly protocol: AskedProtocol;
  /** User name as the client sent it. It may name a connection; see `NamedConnections`. */
  readonly user: string;
  /** Requested database, by default the user name. With an issued credential: the id of its connection. */
  readonly database: string;
  readonly principal: Principal;
  /** The issued credential; null if the client signed in with its own token or API key. */
  readonly credential: {
    readonly id: string;
    readonly expiresAt: Date;
    readonly reason: string | null;
  } | null;
  readonly address: string;
}

/**
 * A request to cancel the running command of a session. It comes on a separate connection, and its only
 * answer is that this connection is closed.
 */
export interface CancelRequest {
  readonly processId: number;
  readonly key: Buffer;
  readonly address: string;
}
