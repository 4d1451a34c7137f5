import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional } from 'class-validator';
import type { SelectQueryBuilder } from 'typeorm';
import { PageQuery } from '../http/page';
import type { Principal } from '../kernel/principal';
import { AFTER_REVIEW_STATES, type AfterReviewState } from './after-review-state';
import { REVIEW_STATUSES, type ReviewStatus } from './review-state';
import type { Review } from './review.entity';

const MINE = ['to_decide', 'to_sign_off', 'requested'] as const;
const REVIEW_ORDER = ['newest', 'oldest'] as const;

/** Filters of the list of reviews; all given filters must match. */
export class ReviewQuery extends PageQuery {
  @ApiPropertyOptional({
    enum: MINE,
    description:
      '`to_decide`: reviews that wait for a vote of the caller; `to_sign_off`: forced approvals and emergencies that wait for a second look, which the caller may take; `requested`: reviews that the caller requested. Default: all that the caller may see.',
  })
  @IsOptional()
  @IsIn(MINE)
  mine?: (typeof MINE)[number];

  @ApiPropertyOptional({ enum: REVIEW_STATUSES, description: 'Only reviews in this state.' })
  @IsOptional()
  @IsIn(REVIEW_STATUSES)
  status?: ReviewStatus;

  @ApiPropertyOptional({
    enum: AFTER_REVIEW_STATES,
    description:
      '`open`: forced approvals and emergencies that nobody has signed off yet; `signed_off`: those that were.',
  })
  @IsOptional()
  @IsIn(AFTER_REVIEW_STATES)
  after_review?: AfterReviewState;

  @ApiPropertyOptional({
    enum: REVIEW_ORDER,
    description: 'By the time of the request. Default: `newest` first.',
  })
  @IsOptional()
  @IsIn(REVIEW_ORDER)
  order?: (typeof REVIEW_ORDER)[number];
}

type Reviews = SelectQueryBuilder<Review>;

const OWN = 'listed.requester_type = :ownType AND listed.requester_id = :ownId';
const NAMES_A_GROUP = `EXISTS (SELECT FROM review_groups AS said
  WHERE said.org_id = listed.org_id AND said.review_id = listed.id AND said.group_name = ANY (:groups::text[]))`;
const HAS_FORCED =
  'EXISTS (SELECT FROM review_votes AS vote WHERE vote.review_id = listed.id AND vote.user_id = :ownId AND vote.forced)';
const OF_OTHERS = `(:email = '' OR lower(listed.requester_email) <> lower(:email))`;
const HAS_VOTED =
  'EXISTS (SELECT FROM review_votes AS vote WHERE vote.review_id = listed.id AND vote.user_id = :ownId)';

/** Restricts a query over reviews (`listed`) to those that the actor may see and asked for. */
export function narrow(
  builder: Reviews,
  actor: Principal,
  { mine, status, after_review: after }: ReviewQuery,
): void {
  if (mine === 'requested') builder.andWhere(OWN, own(actor));
  else if (mine === 'to_decide') toDecide(builder, actor);
  else if (mine === 'to_sign_off') toSignOff(builder, actor);
  else if (actor.role === 'regular')
    builder.andWhere(`((${OWN}) OR ${NAMES_A_GROUP})`, { ...own(actor), groups: actor.groups });
  if (status !== undefined) builder.andWhere('listed.status = :status', { status });
  if (after !== undefined) builder.andWhere('listed.after_review = :after', { after });
}

/** Reviews never wait for the requester, under any account, for machines, or for people who have voted. */
function toDecide(builder: Reviews, actor: Principal): void {
  const groups = actor.identityType === 'user' ? actor.groups : [];
  builder
    .andWhere(
      `listed.status = 'PENDING' AND listed.expires_at > now() AND listed.person_behind <> :subject`,
      {
        subject: actor.subject,
      },
    )
    .andWhere(OF_OTHERS, { email: actor.email })
    .andWhere(NAMES_A_GROUP, { groups })
    .andWhere(`NOT ${HAS_VOTED}`, own(actor));
}

/** Also those that can still be used: the sooner they are looked at, the better. The requester, under any account, and people who forced do not sign off. */
function toSignOff(builder: Reviews, actor: Principal): void {
  builder
    .andWhere(`listed.after_review = 'open' AND listed.person_behind <> :subject`, { subject: actor.subject })
    .andWhere(OF_OTHERS, { email: actor.email })
    .andWhere(`NOT ${HAS_FORCED}`, own(actor));
  const groups = actor.identityType === 'user' && actor.role !== 'auditor' ? actor.groups : [];
  if (actor.role !== 'admin' || actor.identityType !== 'user') builder.andWhere(NAMES_A_GROUP, { groups });
}

function own({ identityType, userId }: Principal): object {
  return { ownType: identityType, ownId: userId };
}
