import type { Principal } from '../../kernel/principal';

/**
 * A server's record of a password for SCRAM-SHA-256 (RFC 5802, RFC 7677). It is enough to verify the
 * password, but not to reveal it.
 */
export interface ScramVerifier {
  readonly iterations: number;
  readonly salt: Buffer;
  readonly storedKey: Buffer;
  readonly serverKey: Buffer;
}

/** Time-limited access to one connection for one owner. Its id is the user name to sign in with. */
export interface IssuedCredential {
  readonly id: string;
  /** The owner with the current role and groups, not with those at the time of issue. */
  readonly principal: Principal;
  readonly connectionId: string;
  /** The current name of the connection. */
  readonly connectionName: string;
  /** Name of the connection's database; undefined if none of the gateway's keys can open the secret. */
  readonly databaseName: string | undefined;
  readonly verifier: ScramVerifier;
  readonly expiresAt: Date;
  /** Reason of the request, in the words of the owner. */
  readonly reason: string | null;
}

/** Port: finds credentials that the gateway issued. */
export abstract class IssuedCredentials {
  /** Returns undefined if the id is unknown, expired or revoked, or if its owner may no longer act. */
  abstract find(id: string): Promise<IssuedCredential | undefined>;
}
