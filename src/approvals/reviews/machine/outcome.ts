import { type ApprovalRule, votersOf } from '../../../gate/ports/access-decider';

/** A person's vote. Each person has one. */
export interface Vote {
  /** Identifies the person. */
  readonly person: string;
  readonly verdict: 'APPROVED' | 'REJECTED';
  /** The person's groups that a rule names. */
  readonly groups: readonly string[];
  /** Whether the approval is forced. This affects only rules that let one of the person's groups force. */
  readonly forced: boolean;
}

/**
 * Returns the outcome of the votes. One rejection rejects the review; the approvals must satisfy all rules.
 * A pure function; its truth table is in outcome.spec.ts.
 */
export function outcome(
  rules: readonly ApprovalRule[],
  votes: readonly Vote[],
): 'PENDING' | 'APPROVED' | 'REJECTED' {
  if (votes.some(({ verdict }) => verdict === 'REJECTED')) return 'REJECTED';
  // Without a rule nobody was asked, so nobody can have approved.
  return rules.length > 0 && rules.every((rule) => isSatisfied(rule, votes)) ? 'APPROVED' : 'PENDING';
}

/** Whether the approvals satisfy the rule. One person can approve for several groups, but counts once. */
export function isSatisfied(rule: ApprovalRule, votes: readonly Vote[]): boolean {
  const approvals = votes.filter(({ verdict }) => verdict === 'APPROVED');
  if (approvals.some((vote) => vote.forced && intersects(vote.groups, rule.forceApprovalGroups))) return true;
  const voters = votersOf(rule);
  const counted = approvals.filter(({ groups }) => intersects(groups, voters));
  const people = new Set(counted.map(({ person }) => person)).size;
  const needed = neededPeople(rule);
  return needed !== undefined && people >= needed && groupsAreHeard(rule, counted);
}

/** Returns the number of people who must approve; undefined (never satisfied) for 0 in an old row. */
export function neededPeople({
  minApprovals,
  allGroupsMustApprove,
}: Pick<ApprovalRule, 'minApprovals' | 'allGroupsMustApprove'>): number | undefined {
  if (allGroupsMustApprove) return Math.max(minApprovals ?? 1, 1);
  const needed = minApprovals ?? 1;
  return needed < 1 ? undefined : needed;
}

/** Returns the groups whose approval is needed: all of them, or one of them, depending on the rule. */
export function requiredGroups(rule: ApprovalRule): readonly string[] {
  if (rule.approvalRequiredGroups.length > 0) return rule.approvalRequiredGroups;
  return rule.allGroupsMustApprove ? rule.reviewersGroups : [];
}

/** Approvals that a rule still needs before it is satisfied. */
export interface Missing {
  readonly rule: string;
  /** Minimum number of further people who have to approve. */
  readonly approvals: number;
  /** The groups whose members may approve. */
  readonly groups: readonly string[];
  /** Groups that must all still approve. */
  readonly each: readonly string[];
  /** Groups of which any one must still approve; empty if no particular group is needed. */
  readonly oneOf: readonly string[];
}

/**
 * Lists the missing approvals, with one entry for each rule that is not satisfied. For a rule that can never
 * be satisfied, one approval is always missing.
 */
export function missingOf(rules: readonly ApprovalRule[], votes: readonly Vote[]): Missing[] {
  return rules.filter((rule) => !isSatisfied(rule, votes)).map((rule) => missingUnder(rule, votes));
}

function missingUnder(rule: ApprovalRule, votes: readonly Vote[]): Missing {
  const groups = votersOf(rule);
  const counted = votes.filter((vote) => vote.verdict === 'APPROVED' && intersects(vote.groups, groups));
  const people = new Set(counted.map(({ person }) => person)).size;
  const unheard = requiredGroups(rule).filter(
    (group) => !counted.some((vote) => vote.groups.includes(group)),
  );
  const all = rule.allGroupsMustApprove;
  return {
    rule: rule.name,
    approvals: Math.max((neededPeople(rule) ?? people + 1) - people, 1),
    groups,
    each: all ? unheard : [],
    oneOf: !all && unheard.length === requiredGroups(rule).length ? unheard : [],
  };
}

function groupsAreHeard(rule: ApprovalRule, approvals: readonly Vote[]): boolean {
  const required = requiredGroups(rule);
  if (required.length === 0) return true;
  const isHeard = (group: string): boolean => approvals.some(({ groups }) => groups.includes(group));
  return rule.allGroupsMustApprove ? required.every(isHeard) : required.some(isHeard);
}

export function intersects(left: readonly string[], right: readonly string[]): boolean {
  return left.some((item) => right.includes(item));
}
