import type { Principal } from '../../kernel/principal';
import type { Target } from './target-directory';

/** A closed sum: whether a grant lets somebody in now. */
export type GrantDecision =
  | {
      readonly kind: 'held';
      /** The credential that stands for the grant: ending it ends the session. */
      readonly credentialId: string;
      /** When the grant ends, or its hours do for today. */
      readonly until: Date;
      /** Why it was asked for. */
      readonly reason: string | null;
    }
  /** A grant was asked for, and does not hold now; `message` is for the person. */
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'none' };

/** Port: did people approve access to the connection for a while, and does the grant hold now? */
export abstract class GrantStore {
  /**
   * First use starts an approved grant.
   * @param credentialId The issued credential that they came with, which only stands for itself; null: their own token.
   */
  abstract use(principal: Principal, target: Target, credentialId: string | null): Promise<GrantDecision>;
}
