import type { Principal } from '../../kernel/principal';
import type { ClientConnection } from './driver/client-connection';

/** The proved identity of a client. */
export interface Identity {
  readonly principal: Principal;
  /** The issued credential; null if the client signed in with its own token or API key. */
  readonly credential: {
    readonly id: string;
    readonly expiresAt: Date;
    readonly reason: string | null;
  } | null;
}

/** A client whose credentials are accepted. Its access to the connection is not decided yet. */
export interface SignedInSshClient extends Identity {
  readonly socket: ClientConnection['socket'];
  readonly connection: ClientConnection;
  /** Name or id of the connection that the client named. */
  readonly target: string;
  readonly address: string;
  /** Name and version of the client's program, as it sent them: `OpenSSH_9.2p1`. */
  readonly software: string;
  /**
   * Identifies the client again by what it signed in with. Each channel asks, because a connection may stay
   * open for days.
   * @throws AppError, SshRefusal when the credential has ended
   */
  identifyAgain(): Promise<Identity>;
}
