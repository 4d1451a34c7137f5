import { Injectable } from '@nestjs/common';
import { DomainEvents } from '../database/domain-events';
import { ReviewsOfSessions } from '../reviews/reviews-of-sessions';
import { sessionClosed, sessionClosing } from '../sessions/session-closing';

/** Closes the review of a session that is closed without having been run to its end. */
@Injectable()
export class SessionClosings {
  constructor(events: DomainEvents, reviews: ReviewsOfSessions) {
    events.handle(sessionClosing, 'access', (db, session) => reviews.lock(db, session));
    events.handle(sessionClosed, 'access', (db, closed) => reviews.settleClosed(db, closed));
  }
}
