import type { Principal } from '../../kernel/principal';
import type { Target } from './target-directory';

/** The decision whether a grant admits the principal now. */
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
  /** There is a request, but no valid grant now; `message` is for the principal. */
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'none' };

/** Port: finds a person's grant for a connection. */
export abstract class GrantStore {
  /**
   * Finds the grant that admits the principal now. The first use starts an approved grant.
   * @param credentialId id of the issued credential that the principal presented, which can use only its own
   * grant; null for a token.
   */
  abstract use(principal: Principal, target: Target, credentialId: string | null): Promise<GrantDecision>;
}
