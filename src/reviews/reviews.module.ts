import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuthModule } from '../auth/auth.module';
import { ReviewDesk } from '../gate/ports/review-desk';
import { GroupReviewDesk } from './group-review-desk';
import { NoGrants } from './no-grants';
import { ReviewAftermath } from './review-aftermath';
import { ReviewDecisions } from './review-decisions';
import { ReviewExecutions } from './review-executions';
import { ReviewRequests } from './review-requests';
import { ReviewVote } from './review-vote.entity';
import { Review, ReviewGroup } from './review.entity';
import { ReviewedGrants } from './reviewed-work';
import { ReviewsOfSessions } from './reviews-of-sessions';
import { ReviewsController } from './reviews.controller';
import { ReviewsService } from './reviews.service';

/** `ReviewedSessions` comes from whoever keeps sessions, by way of the gate's wiring. */
@Module({
  imports: [AuthModule, TypeOrmModule.forFeature([Review, ReviewGroup, ReviewVote])],
  controllers: [ReviewsController],
  providers: [
    ReviewAftermath,
    ReviewDecisions,
    ReviewExecutions,
    ReviewsOfSessions,
    ReviewRequests,
    ReviewsService,
    { provide: ReviewDesk, useClass: GroupReviewDesk },
    // Until access for a span of time is given: its module then provides this, as SessionsModule does its own.
    { provide: ReviewedGrants, useClass: NoGrants },
  ],
  exports: [ReviewDecisions, ReviewExecutions, ReviewsOfSessions, ReviewsService, ReviewDesk],
})
export class ReviewsModule {}
