import type { components } from '../api/schema';

type Session = components['schemas']['SessionView'];

/** Decisions after which what was asked for never runs. */
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
 * The outcome of a session, in one word of `texts.sessions.outcomes`. A session that waits for a decision is
 * open, and has not begun.
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
  // Sessions of approved access for a while ran, whatever became of the approval later.
  if (isAgainst && review?.type === 'onetime') return AGAINST[decision];
  return code === 0 ? 'clean' : 'failed';
}
