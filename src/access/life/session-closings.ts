import { Injectable } from '@nestjs/common';
import { DomainEvents } from '../../platform/database/feed/domain-events';
import { ReviewsOfSessions } from '../../approvals/reviews/decisions/reviews-of-sessions';
import { sessionClosed, sessionClosing } from '../../sessions/list/session-closing';

/** Closes the review of a session when the session is closed, before or while its script ran. */
@Injectable()
export class SessionClosings {
  constructor(events: DomainEvents, reviews: ReviewsOfSessions) {
    events.handle(sessionClosing, 'access', (db, session) => reviews.lock(db, session));
    events.handle(sessionClosed, 'access', (db, closed) => reviews.settleClosed(db, closed));
  }
}
