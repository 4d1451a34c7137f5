import { ApiProperty } from '@nestjs/swagger';
import { PageInfo } from '../../../platform/http/dto/page';
import { type Missing, type Vote, missingOf } from '../machine/outcome';
import { ReviewView, ReviewerView, reviewView } from './review.dto';
import type { Review, ReviewGroup } from '../machine/review.entity';

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

/** Approvals that a rule still needs before the request is approved. */
export class MissingApprovalView {
  @ApiProperty({ description: 'Name of the rule.', example: 'prod-databases' })
  rule!: string;

  @ApiProperty({ type: 'integer', description: 'How many more people have to approve, at least.' })
  approvals!: number;

  @ApiProperty({ type: [String], description: 'Groups whose members count.' })
  groups!: readonly string[];

  @ApiProperty({ type: [String], description: 'Groups each of which has to approve still.' })
  each_of!: readonly string[];

  @ApiProperty({
    type: [String],
    description: 'Groups of which one has to approve still; empty: no matter which.',
  })
  one_of!: readonly string[];
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
    type: String,
    nullable: true,
    description:
      'The first 300 characters of the script; null: the review is not about a script, or is over, and the session has the script.',
    example: "UPDATE customers SET city = 'Oslo' WHERE id = 42",
  })
  script_start!: string | null;

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

  @ApiProperty({
    type: [MissingApprovalView],
    description:
      'What is missing before it is approved, an entry for each rule; empty when it does not wait.',
  })
  missing!: MissingApprovalView[];

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
    script_start: review.scriptStart,
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
    missing: review.status === 'PENDING' ? missingOf(review.rules, votesIn(groups)).map(missingView) : [],
  };
}

/** Collects the approvals from the rows of the groups. A person has one row for each group they voted for. */
function votesIn(groups: readonly ReviewGroup[]): Vote[] {
  const rows = new Map<string, ReviewGroup[]>();
  for (const row of groups) {
    if (row.status !== 'APPROVED') continue;
    const person = row.reviewedBy?.id ?? '';
    rows.set(person, [...(rows.get(person) ?? []), row]);
  }
  return [...rows].map(([person, said]) => ({
    person,
    verdict: 'APPROVED',
    groups: said.map(({ groupName }) => groupName),
    forced: said.some(({ forcedReview }) => forcedReview),
  }));
}

const missingView = ({ rule, approvals, groups, each, oneOf }: Missing): MissingApprovalView => ({
  rule,
  approvals,
  groups,
  each_of: each,
  one_of: oneOf,
});
