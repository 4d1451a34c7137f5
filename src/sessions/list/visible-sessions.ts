import { Injectable } from '@nestjs/common';
import { AppError } from '../../kernel/app-error';
import type { Principal } from '../../kernel/principal';
import type { SessionRow } from '../recording/session.entity';
import { type FirstChunks, StoredSessions } from '../recording/stored-sessions';
import type { ReviewView } from '../../approvals/reviews/requests/review.dto';
import { ReviewsService } from '../../approvals/reviews/requests/reviews.service';
import { NoSession } from '../format/no-session';

/**
 * The part of a session that a principal may see:
 * - `all`: the session with its recording
 * - `request`: the session without its recording, for members of the groups that its review asks
 */
export type SessionVisibility = 'all' | 'request';

/** A session with the parts that one principal may see. */
export interface VisibleSession {
  readonly session: SessionRow;
  readonly review: ReviewView | null;
  readonly sight: SessionVisibility;
  /** First chunks of the recording; undefined if not requested. */
  readonly first: FirstChunks | undefined;
}

/** Finds sessions for principals, and decides which parts of them they may see. */
@Injectable()
export class VisibleSessions {
  constructor(
    private readonly sessions: StoredSessions,
    private readonly reviews: ReviewsService,
  ) {}

  /**
   * Finds a session that the principal may see.
   * @param withChunks also reads the first chunks of the recording, in the same statement
   * @throws AppError `not_found`, also if the principal must not know that the session exists
   */
  async find(actor: Principal, id: string, withChunks = false): Promise<VisibleSession> {
    const { orgId } = actor;
    const fact = this.reviews.existsForSession;
    const {
      session,
      fact: hasReview,
      first,
    } = (await this.sessions.find({ orgId, id, fact, withChunks })) ?? {};
    const review = session !== undefined && hasReview ? await this.reviews.ofSession(orgId, session) : null;
    const sight = session === undefined ? undefined : await this.sightOf(actor, session, review);
    if (session === undefined || sight === undefined) throw new NoSession();
    return { session, review, sight, first };
  }

  /**
   * Returns the session if the principal may read its recording.
   * @throws AppError `not_found`, `forbidden`
   */
  async findReadable(actor: Principal, id: string): Promise<SessionRow> {
    const { session, sight } = await this.find(actor, id);
    assertReadable(sight);
    return session;
  }

  private async sightOf(
    actor: Principal,
    session: SessionRow,
    review: ReviewView | null,
  ): Promise<SessionVisibility | undefined> {
    if (mayReadRecording(actor, session)) return 'all';
    const isAsked = review !== null && (await this.reviews.names(actor.orgId, review.id, actor.groups));
    return isAsked ? 'request' : undefined;
  }
}

/** @throws AppError `forbidden` to principals who may see only the request */
export function assertReadable(sight: SessionVisibility): void {
  if (sight !== 'all') throw new AppError('forbidden', 'reviewers see the request, not the recording');
}

/** Whether the session is the principal's own. A machine and a person with the same subject are different. */
export function isOwner(actor: Principal, session: SessionRow): boolean {
  return session.userSubject === actor.subject && session.identityType === actor.identityType;
}

export function mayReadRecording(actor: Principal, session: SessionRow): boolean {
  return isOwner(actor, session) || actor.role !== 'regular';
}
