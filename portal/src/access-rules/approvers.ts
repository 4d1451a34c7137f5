import type { Members, User } from '../api/choices';
import type { Draft } from './access-rule';

/** The people who could approve a request under a rule, and whether there are enough of them. */
export interface Approvers {
  /** Groups whose members may approve, with their active members. */
  readonly groups: readonly { readonly name: string; readonly people: readonly User[] }[];
  /** Number of people in these groups. A person in several groups counts once, because each approves once. */
  readonly people: number;
  readonly needed: number;
  /** Number of groups that each have to approve. 0 if the rule does not require every group. */
  readonly each: number;
  /** Required groups without an active member. */
  readonly empty: readonly string[];
  /** Whether the rule can be satisfied. `never`: the gateway refuses it. `not today`: the gateway warns. */
  readonly outcome: 'can' | 'not today' | 'never';
}

/**
 * Computes the approvers with the gateway's algorithm (docs/contract.md, "Access request rule"). This is only
 * a preview, because the gateway decides when the rule is saved.
 */
export function approversOf(draft: Draft, { byGroup }: Members): Approvers {
  const {
    reviewers_groups: reviewers,
    approval_required_groups: required,
    all_groups_must_approve: all,
  } = draft;
  const groups = [...new Set([...reviewers, ...required])].map((name) => ({
    name,
    people: byGroup.get(name) ?? [],
  }));
  const people = new Set(groups.flatMap((group) => group.people.map(({ user_id: id }) => id))).size;
  const needed = Math.max(draft.min_approvals ?? 1, 1);
  const unheard = (asked: readonly string[]): string[] =>
    asked.filter((name) => (byGroup.get(name)?.length ?? 0) === 0);
  const asked = all && required.length === 0 ? reviewers : required;
  const empty = emptyOf(draft, unheard, asked);
  const isNever = (draft.min_approvals ?? 0) > Math.max(groups.length, people);
  const outcome = isNever ? 'never' : people < needed || empty.length > 0 ? 'not today' : 'can';
  return { groups, people, needed, each: all ? asked.length : 0, empty, outcome };
}

/**
 * Returns the groups without members that prevent approval. Without `all_groups_must_approve`, an approval is
 * possible if one group has members.
 */
function emptyOf(
  { all_groups_must_approve: all }: Draft,
  unheard: (asked: readonly string[]) => string[],
  asked: readonly string[],
): string[] {
  const empty = unheard(asked);
  return all || empty.length === asked.length ? empty : [];
}
