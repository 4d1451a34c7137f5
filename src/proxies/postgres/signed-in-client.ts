import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { Principal } from '../../kernel/principal';
import type { AskedProtocol } from './handshake/protocol-version';
import type { Setting } from './handshake/start-up-options';

/**
 * A client whose credentials are accepted. AuthenticationOk is not sent yet:
 * access is checked and the target dialed first.
 */
export interface SignedInClient {
  /**
   * Paused, without a data listener. It has an error listener, so that a lost
   * connection does not end the process.
   */
  readonly socket: Socket | TLSSocket;
  /** Bytes that came after the last message of the handshake. */
  readonly rest: Buffer;
  /** Settings of its start-up message, in order and not judged yet. */
  readonly settings: readonly Setting[];
  /** The requested version, not answered yet: the spoken version depends on the target. */
  readonly protocol: AskedProtocol;
  /** Name by which the client names its connection, as it was sent; see `NamedConnections`. */
  readonly user: string;
  /** The user name where the client named none; with an issued credential the id of its connection. */
  readonly database: string;
  readonly principal: Principal;
  /** null if the client signed in with its own token or API key. */
  readonly credential: {
    readonly id: string;
    readonly expiresAt: Date;
    readonly reason: string | null;
  } | null;
  readonly address: string;
}

/**
 * A request on a connection of its own to cancel what a session runs. Its only
 * answer is that the connection is closed.
 */
export interface CancelRequest {
  readonly processId: number;
  readonly key: Buffer;
  readonly address: string;
}
