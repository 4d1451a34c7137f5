import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../audit/audit.module';
import { AuthModule } from '../auth/auth.module';
import { EventsModule } from '../events/events.module';
import { ReviewDesk } from '../gate/ports/review-desk';
import { GrantReviews } from './grant-reviews';
import { GroupReviewDesk } from './group-review-desk';
import { ReviewAftermath } from './review-aftermath';
import { ReviewDecisions } from './review-decisions';
import { ReviewExecutions } from './review-executions';
import { ReviewRequests } from './review-requests';
import { ReviewVote } from './review-vote.entity';
import { Review, ReviewGroup } from './review.entity';
import { ReviewsOfConnections } from './reviews-of-connections';
import { ReviewsOfSessions } from './reviews-of-sessions';
import { ReviewsController } from './reviews.controller';
import { ReviewsService } from './reviews.service';

/** `ReviewedSessions` and `ReviewedGrants` come from whoever keeps them, by way of the gate's wiring. */
@Module({
  imports: [
    AuditModule,
    AuthModule,
    EventsModule,
    TypeOrmModule.forFeature([Review, ReviewGroup, ReviewVote]),
  ],
  controllers: [ReviewsController],
  providers: [
    GrantReviews,
    GroupReviewDesk,
    ReviewAftermath,
    ReviewDecisions,
    ReviewExecutions,
    ReviewsOfConnections,
    ReviewsOfSessions,
    ReviewRequests,
    ReviewsService,
    { provide: ReviewDesk, useExisting: GroupReviewDesk },
  ],
  exports: [
    GrantReviews,
    ReviewDecisions,
    ReviewExecutions,
    ReviewsOfConnections,
    ReviewsOfSessions,
    ReviewsService,
    ReviewDesk,
  ],
})
export class ReviewsModule {}
