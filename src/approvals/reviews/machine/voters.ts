import { type ApprovalRule, votersOf } from '../../../gate/ports/access-decider';
import { personAddress } from './person-address';
import type { Principal } from '../../../kernel/principal';
import { intersects } from './outcome';
import type { Review } from './review.entity';

type Asked = Pick<Review, 'rules' | 'requesterType' | 'requesterId' | 'requesterSubject' | 'personBehind'>;

/** All groups that the rules ask, or that may force an approval. */
export function namedGroups(rules: readonly ApprovalRule[]): string[] {
  return [...new Set(rules.flatMap((rule) => [...votersOf(rule), ...rule.forceApprovalGroups]))];
}

/** The groups for which the actor may vote. Machines cannot vote, so they have none. */
export function votingGroups(actor: Principal, { rules }: Pick<Review, 'rules'>): string[] {
  return actor.identityType === 'user'
    ? namedGroups(rules).filter((group) => actor.groups.includes(group))
    : [];
}

/** Whether a member of one of the groups may approve, apart from forcing an approval. */
export function mayApprove({ rules }: Pick<Review, 'rules'>, groups: readonly string[]): boolean {
  return rules.some((rule) => intersects(groups, votersOf(rule)));
}

export function mayForce({ rules }: Pick<Review, 'rules'>, groups: readonly string[]): boolean {
  return rules.some((rule) => intersects(groups, rule.forceApprovalGroups));
}

/** Whether the actor is the requester, directly or by an API key that they created. */
export function isRequester(actor: Principal, review: Asked): boolean {
  if (actor.identityType === 'user' && actor.subject === review.personBehind) return true;
  if (actor.identityType !== review.requesterType) return false;
  return actor.userId === review.requesterId || actor.subject === review.requesterSubject;
}

/**
 * Whether the actor's e-mail address is one of the addresses, in any spelling. An empty address matches
 * nobody.
 */
export function sharesAddress({ email }: Principal, addresses: readonly string[]): boolean {
  const own = personAddress(email);
  return own !== '' && addresses.some((address) => personAddress(address) === own);
}

/** Accounts of people who requested a review, voted on it, or forced its approval. */
export interface Accounts {
  /** Unlike the gateway's own id, a subject stays the same when an account is deleted and created again. */
  readonly subjects: readonly string[];
  /** E-mail addresses; some may be empty. */
  readonly addresses: readonly string[];
}

/** If one of the accounts is another account of the actor, returns words for it; otherwise undefined. */
export function otherAccount(actor: Principal, { subjects, addresses }: Accounts): string | undefined {
  if (subjects.includes(actor.subject)) return 'an earlier account of yours';
  return sharesAddress(actor, addresses) ? 'another account with your e-mail address' : undefined;
}

/**
 * Whether the actor may see the review. All people may see their own reviews and reviews that name one of
 * their groups; admins and auditors may see all (contract, "Who may do what").
 */
export function maySee(actor: Principal, review: Asked): boolean {
  return (
    actor.role !== 'regular' ||
    isRequester(actor, review) ||
    namedGroups(review.rules).some((group) => actor.groups.includes(group))
  );
}
