import type { components } from '../api/schema';

export type Review = components['schemas']['RequestView'];

/** Returns the effect that an approval by the person would have on a waiting request. */
export function sayOf(
  { missing, review_groups_data: said }: Pick<Review, 'missing' | 'review_groups_data'>,
  person: { readonly id: string; readonly groups: readonly string[] },
  isOwn: boolean,
): 'own' | 'given' | 'can' | 'tooFew' | 'cannot' {
  if (isOwn) return 'own';
  if (said.some(({ reviewed_by: by, status }) => by?.id === person.id && status === 'APPROVED'))
    return 'given';
  const isIn = (groups: readonly string[]): boolean => groups.some((group) => person.groups.includes(group));
  const asked = missing.filter(({ groups }) => isIn(groups));
  if (asked.length === 0) return 'cannot';
  const counts = asked.some(
    ({ approvals, each_of: each, one_of: one }) =>
      isIn(each) || isIn(one) || approvals > Math.max(each.length, one.length > 0 ? 1 : 0),
  );
  return counts ? 'can' : 'tooFew';
}

/** The names of people who voted, each once. */
export function decidersOf({ review_groups_data: said }: Pick<Review, 'review_groups_data'>): string[] {
  const names = said.flatMap(({ reviewed_by: by }) => (by ? [by.name || by.email] : []));
  return [...new Set(names)];
}

export const REVIEW_COLORS: Readonly<Record<Review['status'], string>> = {
  PENDING: 'blue',
  APPROVED: 'green',
  REJECTED: 'red',
  REVOKED: 'red',
  PROCESSING: 'blue',
  EXECUTED: 'green',
  EXPIRED: 'gray',
  UNKNOWN: 'yellow',
};
