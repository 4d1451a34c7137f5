import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ReviewDesk } from '../gate/ports/review-desk';
import { GroupReviewDesk } from './group-review-desk';
import { Review, ReviewGroup } from './review.entity';
import { ReviewsService } from './reviews.service';

@Module({
  imports: [TypeOrmModule.forFeature([Review, ReviewGroup])],
  providers: [ReviewsService, { provide: ReviewDesk, useClass: GroupReviewDesk }],
  exports: [ReviewsService, ReviewDesk],
})
export class ReviewsModule {}
