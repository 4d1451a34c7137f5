import { MAX_QUERY, readTextQuery, type TextQuery, textQueryRule } from './text-query';
import {
  QueryChoice,
  QueryField,
  QueryName,
  QueryText,
  QueryTime,
  QueryWholeNumber,
} from '../../platform/http/dto/query-fields';
import {
  AFTER_REVIEW_STATES,
  type AfterReviewState,
  REVIEW_STATUSES,
  type ReviewStatus,
} from '../../approvals/reviews/requests/review.dto';

const MAX_LIMIT = 100;
const DEFAULT_LIMIT = 20;
const MAX_OFFSET = 10_000;
const VERBS = ['connect', 'exec'] as const;
const STATUSES = ['open', 'ready', 'done'] as const;
const COUNTS = ['capped', 'exact', 'none'] as const;

/** The parameters of `GET /sessions`, as texts. A bad value is answered with 422. */
export class SessionListQuery {
  @QueryWholeNumber(1, MAX_LIMIT, { description: 'Sessions on a page.', default: DEFAULT_LIMIT })
  limit?: string;

  @QueryWholeNumber(0, MAX_OFFSET, {
    description:
      'Number of sessions to skip. New sessions shift the pages; for stable pages, and to read beyond the last offset, give `end_date` too.',
    default: 0,
  })
  offset?: string;

  @QueryChoice(COUNTS, {
    description: '`capped` counts up to 10 000; `exact` counts all; `none` does not count.',
    default: 'capped',
  })
  count?: (typeof COUNTS)[number];

  @QueryText({ description: 'Subject identifier or e-mail of the session’s owner; exact match.' })
  user?: string;

  @QueryName('Name of the connection; exact match.')
  connection?: string;

  @QueryText({ description: 'Connection type of the session.', example: 'database' })
  type?: string;

  @QueryChoice(VERBS, { description: 'Verb.' })
  verb?: (typeof VERBS)[number];

  @QueryChoice(STATUSES, { description: 'Status.' })
  status?: (typeof STATUSES)[number];

  @QueryTime('Sessions that started at this time (RFC 3339) or later.')
  start_date?: string;

  @QueryTime('Sessions that started at this time (RFC 3339) or earlier.')
  end_date?: string;

  @QueryChoice(REVIEW_STATUSES, {
    description: 'Status of the session’s review: of its script, or of the access with which it was opened.',
  })
  'review.status'?: ReviewStatus;

  @QueryChoice(AFTER_REVIEW_STATES, {
    description:
      'Sessions with a forced approval or an emergency: `open` until a person signs it off, then `signed_off`.',
  })
  'review.after_review'?: AfterReviewState;

  @QueryText({
    description: 'Subject identifier or e-mail of a person who approved that review; exact match.',
  })
  'review.approver'?: string;

  @QueryText({ description: 'The `session_batch_id` of the session.' })
  batch_id?: string;

  @QueryText({ description: 'The `correlation_id` of the session.' })
  correlation_id?: string;

  @QueryName(
    'Guardrail that blocked something in the session: its id or, for auditors and admins, its name.',
    { orId: true },
  )
  guardrail?: string;

  @QueryField(
    {
      type: String,
      maxLength: MAX_QUERY,
      description:
        'Searches recorded inputs: finds sessions with an input that contains all of these words, in any case. `"several words"` must be adjacent, `begin*` is a prefix, `-word` and `-"several words"` are excluded. Punctuation separates words: `public.orders` is two adjacent words. Regular users search their own sessions. Each search is put on the audit log.',
      example: '"drop table" -temp*',
    },
    {
      name: 'isTextQuery',
      validate: (value) => textQueryRule(value) === undefined,
      words: (value) => textQueryRule(value) ?? '',
    },
  )
  q?: string;
}

/** Filters of the list of sessions. A session must match all of them (contract, "GET /sessions"). */
export interface SessionFilters {
  /** Subject identifier or e-mail of the owner. */
  readonly user: string | undefined;
  readonly connection: string | undefined;
  readonly type: string | undefined;
  readonly verb: (typeof VERBS)[number] | undefined;
  readonly status: (typeof STATUSES)[number] | undefined;
  /** Earliest and latest start of the session, to the millisecond, both included. */
  readonly from: Date | undefined;
  readonly to: Date | undefined;
  readonly reviewStatus: ReviewStatus | undefined;
  readonly afterReview: AfterReviewState | undefined;
  /** Subject identifier or e-mail of a person who approved the review. */
  readonly reviewApprover: string | undefined;
  readonly batchId: string | undefined;
  readonly correlationId: string | undefined;
  /** Id or name of a guardrail that blocked something in the session. */
  readonly guardrail: string | undefined;
  /** Words that one recorded input of the session must have. */
  readonly text: TextQuery | undefined;
}

/** Page of the list, and the filters of its sessions. */
export interface SessionListing extends SessionFilters {
  readonly limit: number;
  readonly offset: number;
  readonly count: (typeof COUNTS)[number];
  /** Parameters of the request, for the audit log. */
  readonly given: object;
}

/** Converts the validated parameters. */
export function sessionListing(query: SessionListQuery): SessionListing {
  return {
    limit: Number(query.limit ?? DEFAULT_LIMIT),
    offset: Number(query.offset ?? 0),
    count: query.count ?? 'capped',
    given: { ...query },
    user: query.user,
    connection: query.connection,
    type: query.type,
    verb: query.verb,
    status: query.status,
    from: timeOf(query.start_date),
    to: timeOf(query.end_date),
    reviewStatus: query['review.status'],
    afterReview: query['review.after_review'],
    reviewApprover: query['review.approver'],
    batchId: query.batch_id,
    correlationId: query.correlation_id,
    guardrail: query.guardrail,
    text: query.q === undefined ? undefined : readTextQuery(query.q),
  };
}

function timeOf(text: string | undefined): Date | undefined {
  return text === undefined ? undefined : new Date(text);
}
