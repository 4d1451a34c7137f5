import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../../platform/audit/audit.module';
import { AuthModule } from '../../identity/auth/auth.module';
import { ConnectionsModule } from '../../connections/registry/connections.module';
import { DatabaseModule } from '../../platform/database/database.module';
import { EventsModule } from '../../platform/events/events.module';
import { ReviewDesk } from '../../gate/ports/review-desk';
import { CallReviews } from './filing/call-reviews';
import { Emergencies } from './decisions/emergencies';
import { GrantReviews } from './filing/grant-reviews';
import { GroupReviewDesk } from './filing/group-review-desk';
import { ReviewEffects } from './steps/review-effects';
import { ReviewDecisions } from './decisions/review-decisions';
import { ReviewExecutions } from './decisions/review-executions';
import { ReviewFiling } from './filing/review-filing';
import { ReviewPages } from './pages/review-pages';
import { ReviewRequests } from './requests/review-requests';
import { ReviewVote } from './machine/review-vote.entity';
import { Review, ReviewGroup } from './machine/review.entity';
import { ReviewsOfConnections } from './decisions/reviews-of-connections';
import { ReviewsOfSessions } from './decisions/reviews-of-sessions';
import { ReviewsController } from './requests/reviews.controller';
import { ReviewsService } from './requests/reviews.service';
import { ReviewStreamController } from './stream/review-stream.controller';
import { ReviewStreams } from './stream/review-streams';

@Module({
  imports: [
    AuditModule,
    AuthModule,
    ConnectionsModule,
    DatabaseModule,
    EventsModule,
    TypeOrmModule.forFeature([Review, ReviewGroup, ReviewVote]),
  ],
  // The stream controller must be first; otherwise `stream` in `reviews/stream` would match as a review id.
  controllers: [ReviewStreamController, ReviewsController],
  providers: [
    CallReviews,
    Emergencies,
    GrantReviews,
    GroupReviewDesk,
    ReviewEffects,
    ReviewDecisions,
    ReviewExecutions,
    ReviewFiling,
    ReviewPages,
    ReviewsOfConnections,
    ReviewsOfSessions,
    ReviewRequests,
    ReviewStreams,
    ReviewsService,
    { provide: ReviewDesk, useExisting: GroupReviewDesk },
  ],
  exports: [
    Emergencies,
    GrantReviews,
    ReviewDesk,
    ReviewExecutions,
    ReviewRequests,
    ReviewsOfConnections,
    ReviewsOfSessions,
    ReviewsService,
  ],
})
export class ReviewsModule {}
