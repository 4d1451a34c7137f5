import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../audit/audit.module';
import { AuthModule } from '../auth/auth.module';
import { ConnectionsModule } from '../connections/connections.module';
import { DatabaseModule } from '../database/database.module';
import { EventsModule } from '../events/events.module';
import { ReviewDesk } from '../gate/ports/review-desk';
import { CallReviews } from './call-reviews';
import { Emergencies } from './emergencies';
import { GrantReviews } from './grant-reviews';
import { GroupReviewDesk } from './group-review-desk';
import { ReviewEffects } from './review-effects';
import { ReviewDecisions } from './review-decisions';
import { ReviewExecutions } from './review-executions';
import { ReviewFiling } from './review-filing';
import { ReviewPages } from './review-pages';
import { ReviewRequests } from './review-requests';
import { ReviewVote } from './review-vote.entity';
import { Review, ReviewGroup } from './review.entity';
import { ReviewsOfConnections } from './reviews-of-connections';
import { ReviewsOfSessions } from './reviews-of-sessions';
import { ReviewsController } from './reviews.controller';
import { ReviewsService } from './reviews.service';
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
  // `reviews/stream` is no id of a review.
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
