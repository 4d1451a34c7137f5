import type { Principal } from '../../../kernel/principal';
import { satisfies } from '../../../platform/http/routes/access';
import type { Review } from '../machine/review.entity';
import {
  type Accounts,
  isRequester,
  mayApprove,
  mayForce,
  otherAccount,
  votingGroups,
} from '../machine/voters';

/** Actions that the page of a review offers a person. Each is checked again when the person chooses it. */
export interface PageOffers {
  readonly approve: boolean;
  readonly reject: boolean;
}

/**
 * Returns the actions that the page offers a person. Requesters get none, and use the API for changes.
 * @param others see `ReviewDecisions.otherAccounts`
 */
export function offersOf(person: Principal, review: Review, others: Accounts, now: number): PageOffers {
  // Offer a decision only on calls, because the page does not show scripts.
  const isOpen = review.call !== null && review.status === 'PENDING' && review.expiresAt.getTime() > now;
  if (!isOpen || !satisfies(person.role, 'operator') || isRequester(person, review))
    return { approve: false, reject: false };
  const groups = votingGroups(person, review);
  const approve = mayApprove(review, groups) && otherAccount(person, others) === undefined;
  return {
    approve,
    reject: mayApprove(review, groups) || mayForce(review, groups) || person.role === 'admin',
  };
}
