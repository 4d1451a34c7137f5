import type { Principal } from '../../kernel/principal';

/** What a server keeps of a password for SCRAM-SHA-256 (RFC 5802, RFC 7677): enough to check it, not to say it. */
export interface ScramVerifier {
  readonly iterations: number;
  readonly salt: Buffer;
  readonly storedKey: Buffer;
  readonly serverKey: Buffer;
}

/** Access to one connection for some time, in somebody's name. Its id is the user name to sign in with. */
export interface IssuedCredential {
  readonly id: string;
  /** As it stands now, not as it stood when the credential was issued. */
  readonly principal: Principal;
  readonly connectionId: string;
  /** The connection's name as it is now. */
  readonly connectionName: string;
  readonly verifier: ScramVerifier;
  readonly expiresAt: Date;
  /** Why it was asked for, in the words of its owner. */
  readonly reason: string | null;
}

/** Port: which credentials did the gateway issue? */
export abstract class IssuedCredentials {
  /** undefined: unknown, expired, revoked, or its owner may no longer act. */
  abstract find(id: string): Promise<IssuedCredential | undefined>;
}
