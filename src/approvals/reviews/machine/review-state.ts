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
 * The states that may follow each state. The database refuses all others, too (migration Reviews).
 * `PROCESSING`: the approved input is running. `UNKNOWN`: the gateway died while it was running.
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

/** Whether no transition leads out of the state. */
export function isFinal(status: ReviewStatus): boolean {
  return following[status].length === 0;
}

/** Texts that complete the sentence "the review …". */
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
