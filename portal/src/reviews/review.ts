import type { components } from '../api/schema';

export type Review = components['schemas']['RequestView'];

type People = Pick<Review, 'review_owner' | 'review_groups_data'>;
type Decision = Review['review_groups_data'][number];

/**
 * Whether another account with the user's e-mail address made the request or decided on it. The gateway then
 * refuses the user's approval. This check ignores only upper and lower case; the gateway also treats other
 * spellings of an address as equal.
 * @param counts selects the decisions to check
 */
export function hasOtherAccount(
  { review_owner: owner, review_groups_data: said }: People,
  person: { readonly id: string; readonly email: string },
  counts: (decision: Decision) => boolean = () => true,
): boolean {
  const own = person.email.toLowerCase();
  const others = [owner, ...said.filter(counts).flatMap(({ reviewed_by: by }) => by ?? [])];
  return own !== '' && others.some(({ id, email }) => id !== person.id && email.toLowerCase() === own);
}

/** Returns the effect that an approval by the signed-in user would have on a pending request. */
export function sayOf(
  review: People & Pick<Review, 'missing'>,
  person: { readonly id: string; readonly email: string; readonly groups: readonly string[] },
  isOwn: boolean,
): 'own' | 'given' | 'can' | 'tooFew' | 'cannot' | 'otherAccount' {
  const { missing, review_groups_data: said } = review;
  if (isOwn) return 'own';
  if (said.some(({ reviewed_by: by, status }) => by?.id === person.id && status === 'APPROVED'))
    return 'given';
  const isIn = (groups: readonly string[]): boolean => groups.some((group) => person.groups.includes(group));
  const asked = missing.filter(({ groups }) => isIn(groups));
  if (asked.length === 0) return 'cannot';
  if (hasOtherAccount(review, person)) return 'otherAccount';
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
