import type { components } from '../api/schema';

type Session = components['schemas']['SessionView'];

/** Decisions after which the requested script or call never runs. */
const AGAINST = { REJECTED: 'rejected', REVOKED: 'revoked', EXPIRED: 'expired' } as const;

/** The color of each outcome, wherever it is shown. */
export const OUTCOME_COLORS = {
  waiting: 'blue',
  ready: 'blue',
  open: 'blue',
  blocked: 'red',
  rejected: 'red',
  revoked: 'red',
  expired: 'gray',
  clean: 'green',
  failed: 'orange',
} as const;

/**
 * Returns the outcome of a session, a key of `texts.sessions.outcomes`. A session that waits for a decision
 * has the status `open`, although it has not begun.
 */
export function outcomeOf({
  status,
  exit_code: code,
  guardrails_info: hits,
  review,
}: Pick<Session, 'status' | 'exit_code' | 'guardrails_info' | 'review'>) {
  const decision = review?.status;
  if (status === 'open' && decision === 'PENDING') return 'waiting';
  if (status !== 'done') return status;
  if (hits.length > 0) return 'blocked';
  const isAgainst = decision === 'REJECTED' || decision === 'REVOKED' || decision === 'EXPIRED';
  // A session under time-limited access did run, even if the approval was revoked or expired later.
  if (isAgainst && review?.type === 'onetime') return AGAINST[decision];
  return code === 0 ? 'clean' : 'failed';
}
