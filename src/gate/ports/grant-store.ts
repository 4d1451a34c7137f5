import type { Principal } from '../../kernel/principal';
import type { Target } from './target-directory';

/** Result of looking for a grant that admits the principal now. */
export type GrantDecision =
  | {
      readonly kind: 'held';
      /** The credential of the grant; revoking it ends the session. */
      readonly credentialId: string;
      /** The earlier of two times: the end of the grant, and the end of its permitted hours today. */
      readonly until: Date;
      /** Reason of the request. */
      readonly reason: string | null;
    }
  /** Access was requested, but no grant is valid now. `message` is for the principal. */
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'none' };

/** Port: finds a person's grant for a connection. */
export abstract class GrantStore {
  /**
   * Finds the grant that admits the principal now. The first use of an approved grant starts it.
   * @param credentialId id of the issued credential with which the principal signed in; only the grant of
   * this credential can then be used. null: the principal signed in with a token.
   */
  abstract use(principal: Principal, target: Target, credentialId: string | null): Promise<GrantDecision>;
}
