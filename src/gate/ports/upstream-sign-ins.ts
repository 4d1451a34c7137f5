import type { Principal } from '../../kernel/principal';
import type { Target } from './target-directory';

/**
 * An address of the gateway at which one person connects an account at a
 * target. It serves nobody else, so it is no secret.
 */
export interface SignInAddress {
  readonly kind: 'address';
  readonly id: string;
  readonly url: string;
}

/** Why there is no address for this principal, in plain words that name the person who can act. */
export interface NoSignInAddress {
  readonly kind: 'words';
  readonly message: string;
}

/** Port: where people sign in at targets that want an account of theirs. */
export abstract class UpstreamSignIns {
  /**
   * Returns the address where the principal connects an account. An address that is still good is given
   * again.
   * @param scope that the target demanded beyond what it got (RFC 6750, `insufficient_scope`).
   * @returns undefined for a target that nobody signs in at.
   */
  abstract addressFor(
    target: Target,
    principal: Principal,
    scope?: string,
  ): Promise<SignInAddress | NoSignInAddress | undefined>;

  /**
   * Calls with the id of each address at which an account was connected, at whichever gateway. After an
   * outage of the database, some are missing.
   */
  abstract onConnected(listener: (addressId: string) => void): void;
}
