/** States of the second look at a forced approval or emergency: `open` until a person signs it off. */
export const AFTER_REVIEW_STATES = ['open', 'signed_off'] as const;
export type AfterReviewState = (typeof AFTER_REVIEW_STATES)[number];

/** Stored form of a sign-off: the person, the time and the comment. */
export interface SignOff {
  readonly by: { readonly id: string; readonly name: string; readonly email: string };
  /** Time of the sign-off, as RFC 3339 in UTC. */
  readonly at: string;
  readonly comment: string;
}
