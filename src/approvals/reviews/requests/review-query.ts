import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional } from 'class-validator';
import type { EntityManager, SelectQueryBuilder } from 'typeorm';
import { PageQuery } from '../../../platform/http/dto/page';
import type { Principal } from '../../../kernel/principal';
import { AFTER_REVIEW_STATES, type AfterReviewState } from '../machine/after-review-state';
import { REVIEW_STATUSES, type ReviewStatus } from '../machine/review-state';
import type { Review } from '../machine/review.entity';
import { sharesAddress } from '../machine/voters';

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
/**
 * SQL condition that excludes the actor's own reviews. `ownNames` has found all spellings of the actor's
 * address with `personAddress`, so that SQL needs no rule of its own to identify a person.
 */
const OF_OTHERS =
  'listed.requester_email <> ALL (:ownAddresses::text[]) AND listed.person_behind <> ALL (:ownSubjects::text[])';
/** Returns a query for the requesters and voters of the reviews that match the condition `which`. */
const namesIn = (which: string): string => `
  WITH open AS (SELECT id, requester_email, person_behind FROM reviews AS asked WHERE asked.org_id = $1 AND ${which}),
  named AS (
    SELECT requester_email AS address, person_behind AS subject FROM open
    UNION
    SELECT said.reviewed_by ->> 'email', said.reviewed_by ->> 'id'
    FROM open JOIN review_groups AS said ON said.org_id = $1 AND said.review_id = open.id
    WHERE said.reviewed_by IS NOT NULL
  )
  SELECT named.address, named.subject, person.email AS current
  FROM named LEFT JOIN users AS person ON person.org_id = $1 AND person.subject = named.subject`;
/** Query for the votes of the actor on a review, with any of the actor's accounts. */
const OWN_WORD = `SELECT FROM review_groups AS word
  WHERE word.org_id = listed.org_id AND word.review_id = listed.id
    AND (word.reviewed_by ->> 'email' = ANY (:ownAddresses::text[]) OR word.reviewed_by ->> 'id' = ANY (:ownSubjects::text[]))`;
const HAS_VOTED =
  'EXISTS (SELECT FROM review_votes AS vote WHERE vote.review_id = listed.id AND vote.user_id = :ownId)';

/**
 * The actor's e-mail address in all spellings that reviews and votes contain, and the subjects of all
 * accounts with this address.
 */
export interface OwnNames {
  readonly addresses: readonly string[];
  readonly subjects: readonly string[];
}

/**
 * Finds the addresses and subjects under which the actor, with any account, requested open reviews or voted
 * on them.
 */
export async function ownNames(
  db: EntityManager,
  actor: Principal,
  mine: ReviewQuery['mine'],
): Promise<OwnNames> {
  const names = { addresses: new Set<string>(), subjects: new Set([actor.subject]) };
  if (mine === 'to_decide' || mine === 'to_sign_off') {
    const which = mine === 'to_decide' ? `asked.status = 'PENDING'` : `asked.after_review = 'open'`;
    const rows = await db.query<{ address: string | null; subject: string; current: string | null }[]>(
      namesIn(which),
      [actor.orgId],
    );
    for (const { address, subject, current } of rows) {
      if (address !== null && sharesAddress(actor, [address])) names.addresses.add(address);
      if (sharesAddress(actor, [current ?? ''])) names.subjects.add(subject);
    }
  }
  return { addresses: [...names.addresses], subjects: [...names.subjects] };
}

/** Restricts a query over reviews (`listed`) to the filters, and to reviews that the actor may see. */
export function narrow(
  builder: Reviews,
  actor: Principal,
  { mine, status, after_review: after }: ReviewQuery,
  names: OwnNames,
): void {
  if (mine === 'requested') builder.andWhere(OWN, own(actor));
  else if (mine === 'to_decide') toDecide(builder, actor, names);
  else if (mine === 'to_sign_off') toSignOff(builder, actor, names);
  else if (actor.role === 'regular')
    builder.andWhere(`((${OWN}) OR ${NAMES_A_GROUP})`, { ...own(actor), groups: actor.groups });
  if (status !== undefined) builder.andWhere('listed.status = :status', { status });
  if (after !== undefined) builder.andWhere('listed.after_review = :after', { after });
}

/**
 * Restricts the query to reviews that wait for a vote of the actor. Excluded are machines, people who have
 * voted, and the requester, also with another of their accounts.
 */
function toDecide(builder: Reviews, actor: Principal, names: OwnNames): void {
  const groups = actor.identityType === 'user' ? actor.groups : [];
  builder
    .andWhere(`listed.status = 'PENDING' AND listed.expires_at > now()`)
    .andWhere(OF_OTHERS, { ownAddresses: names.addresses, ownSubjects: names.subjects })
    .andWhere(NAMES_A_GROUP, { groups })
    .andWhere(`NOT ${HAS_VOTED}`, own(actor))
    .andWhere(`NOT EXISTS (${OWN_WORD})`);
}

/**
 * Restricts the query to reviews that the actor may sign off. Includes approvals that can still be used,
 * because an early look is better. The requester and people who forced the approval cannot sign off, with any
 * of their accounts.
 */
function toSignOff(builder: Reviews, actor: Principal, names: OwnNames): void {
  builder
    .andWhere(`listed.after_review = 'open'`)
    .andWhere(OF_OTHERS, { ownAddresses: names.addresses, ownSubjects: names.subjects })
    .andWhere(`NOT ${HAS_FORCED}`, own(actor))
    .andWhere(`NOT EXISTS (${OWN_WORD} AND word.forced_review)`);
  const groups = actor.identityType === 'user' && actor.role !== 'auditor' ? actor.groups : [];
  if (actor.role !== 'admin' || actor.identityType !== 'user') builder.andWhere(NAMES_A_GROUP, { groups });
}

function own({ identityType, userId }: Principal): object {
  return { ownType: identityType, ownId: userId };
}
