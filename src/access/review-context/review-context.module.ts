import { Module } from '@nestjs/common';
import { GuardrailsModule } from '../../guardrails/guardrails.module';
import { ReviewsModule } from '../../approvals/reviews/reviews.module';
import { SessionsModule } from '../../sessions/list/sessions.module';
import { ReviewContextController } from './review-context.controller';
import { ReviewContextService } from './review-context.service';

/** Facts that reviewers see beside a request. */
@Module({
  imports: [GuardrailsModule, ReviewsModule, SessionsModule],
  controllers: [ReviewContextController],
  providers: [ReviewContextService],
})
export class ReviewContextModule {}
