import type { Principal } from '../../kernel/principal';
import type { ClientConnection } from './driver/client-connection';

/** The proved identity of a client. */
export interface Identity {
  readonly principal: Principal;
  /** The issued credential; null if the client signed in with its own key, token or API key. */
  readonly credential: { readonly id: string } | null;
  /** Why the person opens the connection; null if that is not known. */
  readonly reason: string | null;
  /** When the credential or the key ends; null: never, or not known. */
  readonly until: Date | null;
  /** Fingerprint of the registered key, for a client that signed in with one. */
  readonly publicKey?: string;
}

/** A person whose sign-in is accepted, whatever connects the person to the gateway. */
export interface SshPerson extends Identity {
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

/**
 * A client of the SSH protocol whose credentials are accepted. Its access to the connection is not decided
 * yet.
 */
export interface SignedInSshClient extends SshPerson {
  readonly socket: ClientConnection['socket'];
  readonly connection: ClientConnection;
}
