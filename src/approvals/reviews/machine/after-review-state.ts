/** A forced approval is looked at afterwards: `open` until a person signs it off. */
export const AFTER_REVIEW_STATES = ['open', 'signed_off'] as const;
export type AfterReviewState = (typeof AFTER_REVIEW_STATES)[number];

/** Person who looked at a forced approval afterwards, with their comment. As stored. */
export interface SignOff {
  readonly by: { readonly id: string; readonly name: string; readonly email: string };
  /** RFC 3339, UTC. */
  readonly at: string;
  readonly comment: string;
}
