import { type ApprovalRule, votersOf } from '../gate/ports/access-decider';
import type { Principal } from '../kernel/principal';
import { meet } from './outcome';
import type { Review } from './review.entity';

type Asked = Pick<Review, 'rules' | 'requesterType' | 'requesterId' | 'requesterSubject' | 'personBehind'>;

/** All groups that the rules ask, or let force an approval. */
export function namedGroups(rules: readonly ApprovalRule[]): string[] {
  return [...new Set(rules.flatMap((rule) => [...votersOf(rule), ...rule.forceApprovalGroups]))];
}

/** The groups in whose name somebody may speak here. A machine speaks for nobody: approvals are people's. */
export function voiceOf(actor: Principal, { rules }: Pick<Review, 'rules'>): string[] {
  return actor.identityType === 'user'
    ? namedGroups(rules).filter((group) => actor.groups.includes(group))
    : [];
}

/** Whether these are groups whose approval counts without force. */
export function mayApprove({ rules }: Pick<Review, 'rules'>, groups: readonly string[]): boolean {
  return rules.some((rule) => meet(groups, votersOf(rule)));
}

export function mayForce({ rules }: Pick<Review, 'rules'>, groups: readonly string[]): boolean {
  return rules.some((rule) => meet(groups, rule.forceApprovalGroups));
}

/** Whether this is who asked, as themselves or with an API key that they made. */
export function isRequester(actor: Principal, review: Asked): boolean {
  if (actor.identityType === 'user' && actor.subject === review.personBehind) return true;
  if (actor.identityType !== review.requesterType) return false;
  return actor.userId === review.requesterId || actor.subject === review.requesterSubject;
}

/** Contract, "Who may do what": own, one that names a group of theirs, or all. */
export function maySee(actor: Principal, review: Asked): boolean {
  return (
    actor.role !== 'regular' ||
    isRequester(actor, review) ||
    namedGroups(review.rules).some((group) => actor.groups.includes(group))
  );
}
