export const REVIEW_STATUSES = [
  'PENDING',
  'APPROVED',
  'REJECTED',
  'REVOKED',
  'PROCESSING',
  'EXECUTED',
  'EXPIRED',
  'UNKNOWN',
] as const;
export type ReviewStatus = (typeof REVIEW_STATUSES)[number];

/**
 * What may follow on what; everything else is impossible, and the database refuses it too (migration Reviews).
 * `PROCESSING`: its one execution runs. `UNKNOWN`: the gateway died while it ran.
 */
const following: Readonly<Record<ReviewStatus, readonly ReviewStatus[]>> = {
  PENDING: ['APPROVED', 'REJECTED', 'REVOKED', 'EXPIRED'],
  APPROVED: ['PROCESSING', 'REVOKED', 'EXPIRED'],
  PROCESSING: ['EXECUTED', 'UNKNOWN'],
  REJECTED: [],
  REVOKED: [],
  EXECUTED: [],
  EXPIRED: [],
  UNKNOWN: [],
};

export function mayBecome(from: ReviewStatus, to: ReviewStatus): boolean {
  return following[from].includes(to);
}

/** Nothing follows. */
export function isFinal(status: ReviewStatus): boolean {
  return following[status].length === 0;
}

/** Goes after "the review". */
export const stateWords: Readonly<Record<ReviewStatus, string>> = {
  PENDING: 'waits for its reviewers',
  APPROVED: 'is approved already',
  REJECTED: 'was rejected',
  REVOKED: 'was revoked',
  PROCESSING: 'is being executed',
  EXECUTED: 'was executed already',
  EXPIRED: 'has expired',
  UNKNOWN: 'was being executed when its gateway stopped',
};
