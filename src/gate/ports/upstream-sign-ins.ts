import type { Principal } from '../../kernel/principal';
import type { Target } from './target-directory';

/**
 * An address of the gateway at which one person connects an account at a target. It works for no other
 * person, so it is not a secret.
 */
export interface SignInAddress {
  readonly kind: 'address';
  readonly id: string;
  readonly url: string;
}

/** Plain text that explains why the principal gets no sign-in address, and names the person who can act. */
export interface NoSignInAddress {
  readonly kind: 'words';
  readonly message: string;
}

/** Port: finds the addresses at which people connect accounts at targets that require a sign-in. */
export abstract class UpstreamSignIns {
  /**
   * Returns the address at which the principal connects an account. An earlier address is returned again
   * while it is valid.
   * @param scope the additional scope that the target demanded (RFC 6750, `insufficient_scope`).
   * @returns undefined for a target without sign-in.
   */
  abstract addressFor(
    target: Target,
    principal: Principal,
    scope?: string,
  ): Promise<SignInAddress | NoSignInAddress | undefined>;

  /**
   * Registers a listener. It is called with the id of each sign-in address at which a person has connected an
   * account, through any gateway. It is not called for accounts that were connected during an outage of the
   * database connection.
   */
  abstract onConnected(listener: (addressId: string) => void): void;
}
