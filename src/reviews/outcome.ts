import { type ApprovalRule, votersOf } from '../gate/ports/access-decider';

/** What one person said. There is one vote for each person. */
export interface Vote {
  /** Whoever it is: the same word is the same person. */
  readonly person: string;
  readonly verdict: 'APPROVED' | 'REJECTED';
  /** The person's groups, as far as a rule names them. */
  readonly groups: readonly string[];
  /** Uses their right to force an approval, where a rule gives it to one of their groups. */
  readonly forced: boolean;
}

/**
 * What the votes come to: one no is a no, and all rules must be satisfied for a yes. Pure; the truth table is in the spec.
 */
export function outcome(
  rules: readonly ApprovalRule[],
  votes: readonly Vote[],
): 'PENDING' | 'APPROVED' | 'REJECTED' {
  if (votes.some(({ verdict }) => verdict === 'REJECTED')) return 'REJECTED';
  // Without a rule nobody was asked, so nobody can have said yes.
  return rules.length > 0 && rules.every((rule) => isSatisfied(rule, votes)) ? 'APPROVED' : 'PENDING';
}

/** Whether the approvals are enough for this rule. A person counts once, and speaks for each group of theirs. */
export function isSatisfied(rule: ApprovalRule, votes: readonly Vote[]): boolean {
  const approvals = votes.filter(({ verdict }) => verdict === 'APPROVED');
  if (approvals.some((vote) => vote.forced && meet(vote.groups, rule.forceApprovalGroups))) return true;
  const voters = votersOf(rule);
  const counted = approvals.filter(({ groups }) => meet(groups, voters));
  const people = new Set(counted.map(({ person }) => person)).size;
  const needed = neededPeople(rule);
  return needed !== undefined && people >= needed && groupsAreHeard(rule, counted);
}

/** undefined: no number is enough. An old row may say 0, which must not settle anything. */
export function neededPeople({
  minApprovals,
  allGroupsMustApprove,
}: Pick<ApprovalRule, 'minApprovals' | 'allGroupsMustApprove'>): number | undefined {
  if (allGroupsMustApprove) return Math.max(minApprovals ?? 1, 1);
  const needed = minApprovals ?? 1;
  return needed < 1 ? undefined : needed;
}

/** The groups that must be heard: each of them, or one of them, as the rule says. */
export function requiredGroups(rule: ApprovalRule): readonly string[] {
  if (rule.approvalRequiredGroups.length > 0) return rule.approvalRequiredGroups;
  return rule.allGroupsMustApprove ? rule.reviewersGroups : [];
}

function groupsAreHeard(rule: ApprovalRule, approvals: readonly Vote[]): boolean {
  const required = requiredGroups(rule);
  if (required.length === 0) return true;
  const isHeard = (group: string): boolean => approvals.some(({ groups }) => groups.includes(group));
  return rule.allGroupsMustApprove ? required.every(isHeard) : required.some(isHeard);
}

export function meet(left: readonly string[], right: readonly string[]): boolean {
  return left.some((item) => right.includes(item));
}
