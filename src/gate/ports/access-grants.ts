import type { Principal } from '../../kernel/principal';
import type { Target } from './target-directory';

/** A closed sum: whether somebody may come in by the leave that people gave. */
export type Leave =
  | {
      readonly kind: 'held';
      /** The credential that stands for it: ending it ends the session. */
      readonly credentialId: string;
      /** When it ends, or its hours do for today. */
      readonly until: Date;
      /** Why it was asked for. */
      readonly reason: string | null;
    }
  /** It was asked for, and does not hold now; `message` is for the person. */
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'none' };

/** Port: did people give leave to connect there for a while, and does it hold now? */
export abstract class AccessGrants {
  /**
   * Leave that was approved and not used yet begins with this.
   * @param credentialId The issued credential that they came with, which only stands for itself; null: their own token.
   */
  abstract use(principal: Principal, target: Target, credentialId: string | null): Promise<Leave>;
}
