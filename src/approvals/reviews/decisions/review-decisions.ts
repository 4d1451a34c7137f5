import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, Repository } from 'typeorm';
import { Principals } from '../../../identity/auth/users/principals';
import { ReviewSettings } from '../../../platform/config/groups';
import { ConnectionsService } from '../../../connections/registry/connections.service';
import { personOf } from '../../../platform/events/event';
import type { Change } from '../../../platform/http/routes/change';
import type { Principal } from '../../../kernel/principal';
import { storeVote } from '../steps/stored-votes';
import { type LockedReview, lockReview, reviewNotFound } from '../steps/locked-review';
import { ReviewEffects } from '../steps/review-effects';
import {
  type Approval,
  type StoredVote,
  type ReviewTransition,
  approve,
  reject,
  revoke,
} from '../machine/review-machine';
import { ReviewVote } from '../machine/review-vote.entity';
import { Review, ReviewGroup } from '../machine/review.entity';
import { signOffBy } from '../machine/after-review';
import { declareEmergency } from '../machine/emergency';
import { storePatch } from '../steps/stored-step';
import { type Accounts, maySee } from '../machine/voters';

const TYPE = 'reviews';
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

/**
 * Decisions of people on reviews. Each decision is one transaction that locks the row of the review, so that
 * votes are serialized across gateways: no vote is lost, and exactly one vote settles the review. Callers
 * name a review by its own id or by the id of its session.
 * @throws AppError `not_found` to people who may not see the review, and the errors of `review-machine.ts`.
 * Nothing has changed then.
 */
@Injectable()
export class ReviewDecisions {
  constructor(
    @InjectRepository(Review) private readonly reviews: Repository<Review>,
    private readonly effects: ReviewEffects,
    private readonly connections: ConnectionsService,
    private readonly principals: Principals,
    private readonly settings: ReviewSettings,
  ) {}

  approve(
    change: Change,
    id: string,
    said: Pick<Approval, 'forced' | 'forceReason' | 'timeWindow' | 'accessDuration'>,
  ): Promise<void> {
    const usableMs = this.settings.approvalHours * HOUR_MS;
    return this.decide(change, id, async (locked, db) => {
      const { orgId, connectionId } = locked.review;
      const connectionExists =
        connectionId !== null && (await this.connections.exists(db, orgId, connectionId));
      const others = await this.otherAccounts(change.actor, locked.review, db);
      return approve(locked, change.actor, { ...said, others, connectionExists, usableMs });
    });
  }

  /**
   * Returns the accounts of the requester and of all voters except the actor. If another account of the actor
   * is among them, the actor cannot approve.
   */
  async otherAccounts(
    { subject, userId }: Principal,
    review: Review,
    db: EntityManager = this.reviews.manager,
  ): Promise<Accounts> {
    // If this account has not voted, votes with its subject are from an earlier account, which was deleted.
    const hasVoted = await db.existsBy(ReviewVote, { orgId: review.orgId, reviewId: review.id, userId });
    return this.accountsOf(db, review, ({ reviewedBy }) => !hasVoted || reviewedBy?.id !== subject);
  }

  reject(change: Change, id: string, reason: string | null): Promise<void> {
    return this.decide(change, id, (locked) => reject(locked, change.actor, reason));
  }

  revoke(change: Change, id: string, reason: string | null = null): Promise<void> {
    return this.decide(change, id, (locked) => revoke(locked, change.actor, reason));
  }

  /**
   * Opens the requester's own request in an emergency. The emergency groups are those of the connection now,
   * not those at the time of the request.
   */
  declareEmergency(change: Change, id: string, reason: string): Promise<void> {
    const usableMs = this.settings.emergencyMinutes * MINUTE_MS;
    return this.decide(change, id, async (locked, db) => {
      const { orgId, connectionId } = locked.review;
      const groups =
        connectionId === null ? undefined : await this.connections.emergencyGroups(orgId, connectionId, db);
      return declareEmergency(locked, change.actor, { reason, groups, usableMs });
    });
  }

  /** Signs a review off. If several people try in parallel, exactly one succeeds. */
  async signOff(change: Change, id: string, comment: string): Promise<void> {
    const { actor } = change;
    await this.reviews.manager.transaction(async (db) => {
      const locked = await lockReview(db, actor.orgId, id);
      if (!maySee(actor, locked.review)) throw reviewNotFound();
      const before = signOffView(locked.review);
      const others = await this.accountsOf(db, locked.review, ({ forcedReview }) => forcedReview);
      const review = await storePatch(db, locked, {
        patch: signOffBy(locked, actor, { comment, others }),
      });
      await this.effects.signedOff(db, review, personOf(actor));
      const after = signOffView(review);
      await change.record(db, { type: TYPE, id: review.id, action: 'update', before, after });
    });
  }

  /**
   * Returns the addresses of the requester, and the addresses and subjects of the voters whose rows `counts`
   * selects. Another account with one of these addresses or subjects counts as the same person.
   */
  private async accountsOf(
    db: EntityManager,
    { orgId, id, requesterEmail, personBehind }: Review,
    counts: (group: ReviewGroup) => boolean,
  ): Promise<Accounts> {
    const groups = await db.findBy(ReviewGroup, { orgId, reviewId: id });
    const voters = groups.filter(counts).flatMap(({ reviewedBy }) => reviewedBy ?? []);
    const addresses = [requesterEmail, ...voters.map(({ email }) => email)];
    // Adds the current addresses, because an API key has no address, and a person's address may have changed.
    const subjects = voters.map((voter) => voter.id);
    for (const subject of new Set([personBehind, ...subjects]))
      addresses.push(await this.principals.emailOf(db, orgId, subject));
    return { subjects, addresses };
  }

  private async decide(
    change: Change,
    id: string,
    word: (locked: LockedReview, db: EntityManager) => ReviewTransition | Promise<ReviewTransition>,
  ): Promise<void> {
    const { actor } = change;
    await this.reviews.manager.transaction(async (db) => {
      const locked = await lockReview(db, actor.orgId, id);
      if (!maySee(actor, locked.review)) throw reviewNotFound();
      const vote = locked.votes.find(({ userId }) => userId === actor.userId);
      const before = auditView(locked.review, vote);
      const step = await word(locked, db);
      if (step.vote !== undefined) await storeVote(db, locked, actor, step.vote, step.groups ?? []);
      const review = await storePatch(db, locked, step);
      // Use the mark of the approval, not this person's vote, because an earlier vote may be the forced one.
      const by = { person: personOf(actor), forced: step.patch.afterReview === 'open' };
      if (step.ending !== undefined) await this.effects.ended(db, review, step.ending, by);
      else if (step.patch.status === 'APPROVED') await this.effects.approved(db, review, by);
      const after = auditView(review, step.vote ?? vote);
      await change.record(db, { type: TYPE, id: review.id, action: 'update', before, after });
    });
  }
}

function signOffView({ afterReview, signOff }: Review): object {
  return { after_review: afterReview, sign_off: signOff };
}

/** Returns the facts of a review for the audit log, with the person's vote even if it settles nothing. */
function auditView(
  { status, timeWindow, accessDuration, rejectionReason, forceReason, emergency }: Review,
  vote: StoredVote | undefined,
): object {
  return {
    status,
    time_window: timeWindow,
    access_duration: accessDuration,
    rejection_reason: rejectionReason,
    force_reason: forceReason,
    emergency,
    vote: vote === undefined ? null : { verdict: vote.verdict, groups: vote.groups, forced: vote.forced },
  };
}
