import { AppError } from '../kernel/app-error';
import type { Principal } from '../kernel/principal';
import { outcome } from './outcome';
import { type ReviewStatus, isFinal, mayBecome, stateWords } from './review-state';
import type { ReviewVote } from './review-vote.entity';
import type { Review } from './review.entity';
import { type TimeWindow, commonHours } from './time-window';
import { isRequester, mayApprove, mayForce, voiceOf } from './voters';

/** Of a review, what its machine looks at and changes. */
export type ReviewState = Pick<
  Review,
  | 'status'
  | 'rules'
  | 'requesterType'
  | 'requesterId'
  | 'requesterSubject'
  | 'personBehind'
  | 'connectionName'
  | 'inputHash'
  | 'timeWindow'
  | 'rejectionReason'
  | 'approvedAt'
  | 'takenAt'
  | 'endedAt'
  | 'revokeAt'
  | 'expiresAt'
>;

export type KeptVote = Pick<ReviewVote, 'userId' | 'verdict' | 'groups' | 'forced' | 'timeWindow'>;

/** A review as it stands at a moment, which nobody else changes meanwhile. */
export interface Standing {
  readonly review: ReviewState;
  /** One for each person. */
  readonly votes: readonly KeptVote[];
  readonly now: Date;
}

/** What a word changes: it is all written, or nothing of it. */
export interface Step {
  readonly patch: Partial<ReviewState>;
  /** Takes the place of what the same person said before. */
  readonly vote?: KeptVote;
  /** Groups in whose name it was said just now. */
  readonly groups?: readonly string[];
  /** Why the session that waits ends, if it does. */
  readonly ending?: string;
}

/** What goes with a yes. */
export interface Approval {
  /** Satisfies at once each rule that lets a group of theirs force it. */
  readonly forced: boolean;
  /** When it may be used; null: no word on it. */
  readonly timeWindow: TimeWindow | null;
  /** false: it was deleted meanwhile. */
  readonly connectionExists: boolean;
  /** How long it may be used once it is approved. */
  readonly usableMs: number;
}

/**
 * A yes, in the name of all groups of the actor that the rules name.
 * @throws AppError `forbidden`; `conflict` when the state forbids it; `unprocessable` when its hours meet no others.
 */
export function approve(standing: Standing, actor: Principal, approval: Approval): Step {
  const { review, now } = standing;
  const { forced, timeWindow } = approval;
  const groups = approvingGroups(actor, review, forced);
  requireState(standing, 'PENDING');
  // What nobody can open any more is not approved. It may still be rejected or revoked.
  if (!approval.connectionExists)
    throw new AppError('conflict', `the connection ${review.connectionName} was deleted meanwhile`);
  const vote = merged(standing, { userId: actor.userId, verdict: 'APPROVED', groups, forced, timeWindow });
  const votes = [...standing.votes.filter(({ userId }) => userId !== vote.userId), vote];
  const hours = commonHours(votes.flatMap((one) => one.timeWindow ?? []));
  if (hours === undefined)
    throw new AppError('unprocessable', 'time_window has no one stretch in common with another approver’s');
  const isSettled =
    outcome(
      review.rules,
      votes.map(({ userId, ...said }) => ({ person: userId, ...said })),
    ) === 'APPROVED';
  const expiresAt = new Date(now.getTime() + approval.usableMs);
  const settled = isSettled ? { ...moved(standing, 'APPROVED'), approvedAt: now, expiresAt } : {};
  return { patch: { timeWindow: hours, ...settled }, vote, groups };
}

/**
 * A no, which ends it: of one who may approve or force, of who asked, or of an admin.
 * @throws AppError `forbidden`, `conflict`
 */
export function reject(standing: Standing, actor: Principal, reason: string | null): Step {
  const groups = requireSay(actor, standing.review, 'reject');
  requireState(standing, 'PENDING');
  const said = { userId: actor.userId, groups, forced: false, timeWindow: null };
  return {
    patch: { ...moved(standing, 'REJECTED'), rejectionReason: reason },
    ending: `The request was rejected by ${nameOf(actor)}.`,
    // People vote, machines do not.
    ...(actor.identityType === 'user'
      ? { vote: merged(standing, { ...said, verdict: 'REJECTED' }), groups }
      : {}),
  };
}

/**
 * Takes back a request or an approval: who asked, one who may approve or force, or an admin.
 * @throws AppError `forbidden`, `conflict`
 */
export function revoke(standing: Standing, actor: Principal, reason: string | null): Step {
  requireSay(actor, standing.review, 'revoke');
  requireState(standing, 'PENDING', 'APPROVED');
  return {
    patch: { ...moved(standing, 'REVOKED'), rejectionReason: reason },
    ending: `The review was revoked by ${nameOf(actor)}.`,
  };
}

/** @throws AppError `conflict` for one that is in another state, or whose time is over although nobody wrote it down yet. */
export function requireState({ review, now }: Standing, ...states: ReviewStatus[]): void {
  if (!states.includes(review.status))
    throw new AppError('conflict', `the review ${stateWords[review.status]}`);
  if (review.expiresAt.getTime() <= now.getTime())
    throw new AppError('conflict', `the review ${stateWords.EXPIRED}`);
}

/** @throws AppError `conflict` for what is impossible. */
export function moved(
  { review, now }: Standing,
  to: ReviewStatus,
): Pick<ReviewState, 'status'> & Partial<ReviewState> {
  if (!mayBecome(review.status, to))
    throw new AppError('conflict', `the review ${stateWords[review.status]}`);
  return isFinal(to) ? { status: to, endedAt: now } : { status: to };
}

/** Who votes again adds groups and force to what they said, and may give other hours. A no forces nothing. */
function merged({ votes }: Standing, said: KeptVote): KeptVote {
  const before = votes.find(({ userId }) => userId === said.userId);
  if (before === undefined) return said;
  return {
    ...said,
    groups: [...new Set([...before.groups, ...said.groups])],
    forced: said.forced || (before.forced && said.verdict === 'APPROVED'),
    timeWindow: said.timeWindow ?? before.timeWindow,
  };
}

/** @throws AppError `forbidden`. The requester never approves, whatever else they are. */
function approvingGroups(actor: Principal, review: ReviewState, forced: boolean): string[] {
  if (isRequester(actor, review)) throw new AppError('forbidden', 'nobody approves their own request');
  if (actor.identityType === 'machine')
    throw new AppError('forbidden', 'people approve: an API key does not');
  const groups = voiceOf(actor, review);
  if (forced && !mayForce(review, groups))
    throw new AppError('forbidden', 'none of your groups may force this approval');
  if (!forced && !mayApprove(review, groups))
    throw new AppError('forbidden', 'none of your groups may approve this');
  return groups;
}

/** @throws AppError `forbidden` to those who may only look. */
function requireSay(actor: Principal, review: ReviewState, what: 'reject' | 'revoke'): string[] {
  const groups = voiceOf(actor, review);
  if (groups.length > 0 || actor.role === 'admin' || isRequester(actor, review)) return groups;
  throw new AppError('forbidden', `only its reviewers, who asked for it, or an admin may ${what} this`);
}

function nameOf(actor: Principal): string {
  return actor.email || actor.subject;
}
