import { ApiProperty } from '@nestjs/swagger';
import { PageInfo } from '../http/page';
import { ReviewView, ReviewerView, reviewView } from './review.dto';
import type { Review, ReviewGroup } from './review.entity';

export class ReviewedConnectionView {
  @ApiProperty({ type: String, format: 'uuid', nullable: true })
  id!: string | null;

  @ApiProperty({ description: 'Name of the connection at the time of the request.', example: 'pg-prod' })
  name!: string;
}

/** A call within a live session that a review is about. */
export class ReviewedCallView {
  @ApiProperty({
    type: String,
    format: 'uuid',
    nullable: true,
    description: 'Live session of the call.',
  })
  session_id!: string | null;

  @ApiProperty({ description: 'What is called.', example: 'delete_customer' })
  name!: string;

  @ApiProperty({
    type: String,
    nullable: true,
    description:
      'Arguments of the call; null once the review is over, because the session’s recording has them.',
    example: '{"id":"cus_42"}',
  })
  arguments!: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description:
      'What the tool said of itself when it was called: the approval is for this fingerprint only.',
    example: '3f6c…',
  })
  fingerprint!: string | null;
}

/** A single review, with its subject and its requester. */
export class RequestView extends ReviewView {
  @ApiProperty({
    type: String,
    format: 'uuid',
    nullable: true,
    description: 'Session that waits for the review and has the script.',
  })
  session_id!: string | null;

  @ApiProperty({
    type: ReviewedCallView,
    nullable: true,
    description: 'Call within a live session, if the review is about one; the session continues meanwhile.',
  })
  call!: ReviewedCallView | null;

  @ApiProperty({ type: ReviewedConnectionView })
  connection!: ReviewedConnectionView;

  @ApiProperty({ type: ReviewerView, description: 'Who asked.' })
  review_owner!: ReviewerView;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  approved_at!: Date | null;

  @ApiProperty({
    type: String,
    format: 'date-time',
    description: 'When the review expires if nobody decides, or the approval is not used.',
  })
  expires_at!: Date;
}

export class ReviewPage {
  @ApiProperty({ type: [RequestView] })
  data!: RequestView[];

  @ApiProperty({ type: PageInfo })
  pages!: PageInfo;
}

export function requestView(review: Review, groups: readonly ReviewGroup[]): RequestView {
  return {
    ...reviewView(review, groups),
    session_id: review.sessionId,
    call: review.call && {
      session_id: review.callSessionId,
      name: review.call.name,
      arguments: review.call.arguments,
      fingerprint: review.call.fingerprint ?? null,
    },
    connection: { id: review.connectionId, name: review.connectionName },
    review_owner: {
      id: review.requesterSubject,
      name: review.requesterName,
      email: review.requesterEmail,
      slack_id: '',
    },
    approved_at: review.approvedAt,
    expires_at: review.expiresAt,
  };
}
