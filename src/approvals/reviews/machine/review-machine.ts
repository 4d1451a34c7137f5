import { AppError } from '../../../kernel/app-error';
import type { Principal } from '../../../kernel/principal';
import { outcome } from './outcome';
import { type ReviewStatus, isFinal, mayBecome, stateWords } from './review-state';
import type { ReviewVote } from './review-vote.entity';
import type { Review } from './review.entity';
import { type TimeWindow, commonHours } from './time-window';
import { type Accounts, isRequester, mayApprove, mayForce, otherAccount, votingGroups } from './voters';

/** The columns of a review that the state machine reads and changes. */
export type ReviewState = Pick<
  Review,
  | 'status'
  | 'rules'
  | 'requesterType'
  | 'requesterId'
  | 'requesterSubject'
  | 'personBehind'
  | 'connectionName'
  | 'accessDuration'
  | 'inputHash'
  | 'call'
  | 'scriptStart'
  | 'callSessionId'
  | 'timeWindow'
  | 'rejectionReason'
  | 'forceReason'
  | 'emergency'
  | 'afterReview'
  | 'signOff'
  | 'approvedAt'
  | 'takenAt'
  | 'endedAt'
  | 'revokeAt'
  | 'expiresAt'
>;

export type StoredVote = Pick<ReviewVote, 'userId' | 'verdict' | 'groups' | 'forced' | 'timeWindow'>;

/** A review with its votes at a given moment. For a transition that is to be stored, its row is locked. */
export interface ReviewSnapshot {
  readonly review: ReviewState;
  /** The votes, one for each person who voted. */
  readonly votes: readonly StoredVote[];
  readonly now: Date;
}

/** The changes of a transition; they are stored together or not at all. */
export interface ReviewTransition {
  readonly patch: Partial<ReviewState>;
  /** The person's vote, which replaces the person's earlier vote. */
  readonly vote?: StoredVote;
  /** Groups for which the person voted. */
  readonly groups?: readonly string[];
  /** Why the session that waits for the review ends; absent if it does not end. */
  readonly ending?: string;
}

/** The details of an approval. */
export interface Approval {
  /** Whether this vote alone satisfies each rule that lets one of the person's groups force an approval. */
  readonly forced: boolean;
  /** Reason for the force; null where no reason was given. */
  readonly forceReason: string | null;
  /** The hours in which the approval may be used; null: no restriction. */
  readonly timeWindow: TimeWindow | null;
  /** Maximum seconds of access; null: the requested duration. */
  readonly accessDuration: number | null;
  /** Accounts of the requester and of the people who have voted, except the actor's own account. */
  readonly others: Accounts;
  /** false: the connection was deleted after the request. */
  readonly connectionExists: boolean;
  /** Time for which the approval may be used, in milliseconds. */
  readonly usableMs: number;
}

/**
 * Approves for all groups of the actor that the rules name. Refuses an account that has the e-mail address of
 * the requester or of another voter, because it counts as the same person. Also refuses an account that
 * voted, was deleted, and was created again.
 * @throws AppError `forbidden`; `conflict` when the state forbids it; `unprocessable` when the hours do not
 * overlap with another approver's.
 */
export function approve(standing: ReviewSnapshot, actor: Principal, approval: Approval): ReviewTransition {
  const { review, now } = standing;
  const { forced, forceReason, timeWindow } = approval;
  const groups = approvingGroups(actor, review, forced);
  const other = otherAccount(actor, approval.others);
  if (other !== undefined)
    throw new AppError(
      'forbidden',
      `${other} asked for this or has voted, so another person has to approve it`,
    );
  requireState(standing, 'PENDING');
  // A deleted connection cannot be opened, so its review cannot be approved, only rejected or revoked.
  if (!approval.connectionExists) throw connectionWasDeleted(review);
  const vote = merged(standing, { userId: actor.userId, verdict: 'APPROVED', groups, forced, timeWindow });
  const votes = [...standing.votes.filter(({ userId }) => userId !== vote.userId), vote];
  const hours = commonHours(votes.flatMap((one) => one.timeWindow ?? []));
  if (hours === undefined)
    throw new AppError(
      'unprocessable',
      'time_window must overlap with the hours of the other approvers in one continuous range',
    );
  const isSettled =
    outcome(
      review.rules,
      votes.map(({ userId, ...said }) => ({ person: userId, ...said })),
    ) === 'APPROVED';
  const expiresAt = new Date(now.getTime() + approval.usableMs);
  // A forced vote needs a second look even if it did not settle the review alone, because fewer other votes
  // were needed after it.
  const after = votes.some((one) => one.forced) && isSettled ? { afterReview: 'open' as const } : {};
  const settled = isSettled ? { ...moved(standing, 'APPROVED'), approvedAt: now, expiresAt, ...after } : {};
  const why = forceReason === null ? {} : { forceReason };
  // No approver can lengthen a duration that another has shortened. A one-time review has the duration 0.
  const accessDuration = Math.min(review.accessDuration, approval.accessDuration ?? review.accessDuration);
  return { patch: { timeWindow: hours, accessDuration, ...why, ...settled }, vote, groups };
}

/**
 * Rejects a pending review, which ends it. Allowed to people who may approve or force, to the requester, and
 * to admins.
 * @throws AppError `forbidden`, `conflict`
 */
export function reject(standing: ReviewSnapshot, actor: Principal, reason: string | null): ReviewTransition {
  const groups = requireSay(actor, standing.review, 'reject');
  requireState(standing, 'PENDING');
  const said = { userId: actor.userId, groups, forced: false, timeWindow: null };
  return {
    patch: { ...moved(standing, 'REJECTED'), rejectionReason: reason },
    ending: `The request was rejected by ${nameOf(actor)}.`,
    // Only people vote; a machine's rejection is not a vote.
    ...(actor.identityType === 'user'
      ? { vote: merged(standing, { ...said, verdict: 'REJECTED' }), groups }
      : {}),
  };
}

/**
 * Withdraws a request or an approval. Allowed to the requester, to people who
 * may approve or force, and to admins.
 * @throws AppError `forbidden`, `conflict`
 */
export function revoke(standing: ReviewSnapshot, actor: Principal, reason: string | null): ReviewTransition {
  requireSay(actor, standing.review, 'revoke');
  requireState(standing, 'PENDING', 'APPROVED');
  return {
    patch: { ...moved(standing, 'REVOKED'), rejectionReason: reason },
    ending: `The review was revoked by ${nameOf(actor)}.`,
  };
}

export function connectionWasDeleted({ connectionName }: Pick<ReviewState, 'connectionName'>): AppError {
  return new AppError('conflict', `the connection ${connectionName} was deleted after the request`);
}

/**
 * @throws AppError `conflict` when the review is in another state, or has expired although its stored state
 * does not show this yet.
 */
export function requireState({ review, now }: ReviewSnapshot, ...states: ReviewStatus[]): void {
  if (!states.includes(review.status))
    throw new AppError('conflict', `the review ${stateWords[review.status]}`);
  if (review.expiresAt.getTime() <= now.getTime())
    throw new AppError('conflict', `the review ${stateWords.EXPIRED}`);
}

/** @throws AppError `conflict` for an impossible transition. */
export function moved(
  { review, now }: ReviewSnapshot,
  to: ReviewStatus,
): Pick<ReviewState, 'status'> & Partial<ReviewState> {
  if (!mayBecome(review.status, to))
    throw new AppError('conflict', `the review ${stateWords[review.status]}`);
  return isFinal(to) ? { status: to, endedAt: now, ...withoutInput(review) } : { status: to };
}

/** Removes what would run, because no decision needs it any more. The recording keeps it. */
export function withoutInput({
  call,
}: Pick<ReviewState, 'call'>): Partial<Pick<ReviewState, 'call' | 'scriptStart'>> {
  return call === null ? { scriptStart: null } : { call: { ...call, arguments: null } };
}

/**
 * Merges a vote with the person's earlier vote: groups and force of both are kept, and new hours replace the
 * earlier hours. A rejection is never forced.
 */
function merged({ votes }: ReviewSnapshot, said: StoredVote): StoredVote {
  const before = votes.find(({ userId }) => userId === said.userId);
  if (before === undefined) return said;
  return {
    ...said,
    groups: [...new Set([...before.groups, ...said.groups])],
    forced: said.forced || (before.forced && said.verdict === 'APPROVED'),
    timeWindow: said.timeWindow ?? before.timeWindow,
  };
}

/** @throws AppError `forbidden`, always for the requester, even as a member of an approving group. */
function approvingGroups(actor: Principal, review: ReviewState, forced: boolean): string[] {
  if (isRequester(actor, review)) throw new AppError('forbidden', 'you cannot approve your own request');
  if (actor.identityType === 'machine') throw new AppError('forbidden', 'API keys cannot approve reviews');
  const groups = votingGroups(actor, review);
  if (forced && !mayForce(review, groups))
    throw new AppError('forbidden', 'none of your groups may force this approval');
  if (!forced && !mayApprove(review, groups))
    throw new AppError('forbidden', 'none of your groups may approve this review');
  return groups;
}

/** @throws AppError `forbidden` for an actor who may only read the review. */
function requireSay(actor: Principal, review: ReviewState, what: 'reject' | 'revoke'): string[] {
  const groups = votingGroups(actor, review);
  if (groups.length > 0 || actor.role === 'admin' || isRequester(actor, review)) return groups;
  throw new AppError('forbidden', `only its reviewers, the requester or an admin may ${what} this review`);
}

function nameOf(actor: Principal): string {
  return actor.email || actor.subject;
}
