import type { Principal } from '../../kernel/principal';
import type { SessionFilters } from './session-list-query';

/**
 * A row that must exist in a table beside `sessions`. Its rows have the id and the start of their session.
 */
export interface RelatedRow {
  readonly table:
    | 'reviews'
    | 'review_groups'
    | 'granted_sessions'
    | 'granted_session_groups'
    | 'session_guardrail_hits';
  /** SQL for the row with that alias. */
  readonly condition: (row: string) => string;
}

/** One of several alternatives in which a session can match. Each becomes a query of its own. */
export interface SearchBranch {
  /** SQL conditions on the row of `sessions`, alias `s`. */
  readonly conditions: readonly string[];
  readonly beside: readonly RelatedRow[];
  /** The kind of review that the rows of `beside` belong to. A session has one review, of one kind. */
  readonly review?: Reviewed;
  /** Few sessions meet the conditions, so the query starts from `sessions` and not from `beside`. */
  readonly isNarrow?: boolean;
  /** A session may match more than once. */
  readonly repeats?: boolean;
  /** A parameter with a list of names. The branch matches if it matches for one of them, `mine.name`. */
  readonly eachOf?: string;
}

/** Binds a value. Returns its placeholder in SQL. */
type Bind = (value: unknown) => string;

/** The tables of one kind of review: the reviews, and the decisions of their groups. */
interface Reviewed {
  readonly reviews: RelatedRow['table'];
  readonly groups: RelatedRow['table'];
  /** SQL for a row of either table. */
  readonly condition: (row: string) => string;
}

const REVIEWED: readonly Reviewed[] = [
  // The session waited for the review. Reviews of access for a while have no session.
  { reviews: 'reviews', groups: 'review_groups', condition: (row) => `${row}.session_id IS NOT NULL` },
  // The session used access that the review granted for a while.
  { reviews: 'granted_sessions', groups: 'granted_session_groups', condition: () => 'true' },
];

const meets = (...conditions: string[]): SearchBranch => ({ conditions, beside: [] });
const isOf = (...conditions: string[]): SearchBranch => ({ conditions, beside: [], isNarrow: true });
const has = (...beside: RelatedRow[]): SearchBranch => ({ conditions: [], beside });

/**
 * The alternatives in which a session is visible to the principal and matches the filters. The start time and
 * the words of the inputs are not part of them. With `ids`, only these sessions match.
 */
export function branchesOf(
  actor: Principal,
  filters: SessionFilters,
  bind: Bind,
  ids?: readonly string[],
): readonly SearchBranch[] {
  const choices = [
    seen(actor, filters, bind),
    [hit(filters, bind)],
    approved(filters, bind),
    reviewed(filters, bind),
    [lookedAt(filters, bind)],
    [kind(filters, bind)],
    [origin(filters, bind)],
    ranBy(filters, bind),
    [ids === undefined ? meets() : isOf(`s.id = ANY (${bind(ids)}::uuid[])`)],
  ];
  return choices.reduce((found, branches) =>
    found.flatMap((left) => branches.flatMap((right) => both(left, right))),
  );
}

/** Filters that many sessions meet. */
function kind({ type, verb, status }: SessionFilters, bind: Bind): SearchBranch {
  return meets(...equal({ type, verb, status }, bind));
}

function origin({ connection, batchId, correlationId }: SessionFilters, bind: Bind): SearchBranch {
  const columns = { connection_name: connection, session_batch_id: batchId, correlation_id: correlationId };
  const conditions = equal(columns, bind);
  return conditions.length === 0 ? meets() : isOf(...conditions);
}

function equal(columns: Readonly<Record<string, string | undefined>>, bind: Bind): string[] {
  const given = Object.entries(columns).filter(([, value]) => value !== undefined);
  return given.map(([column, value]) => `s.${column} = ${bind(value)}`);
}

function ranBy({ user }: SessionFilters, bind: Bind): SearchBranch[] {
  if (user === undefined) return [meets()];
  const name = bind(user);
  return [isOf(`s.user_subject = ${name}`), isOf(`s.user_email = ${name}`)];
}

function hit({ guardrail }: SessionFilters, bind: Bind): SearchBranch {
  if (guardrail === undefined) return meets();
  const rule = bind(guardrail);
  return has({ table: 'session_guardrail_hits', condition: (x) => `${x}.rule = ${rule}` });
}

function reviewed({ reviewStatus }: SessionFilters, bind: Bind): SearchBranch[] {
  if (reviewStatus === undefined) return [meets()];
  const status = bind(reviewStatus);
  return REVIEWED.map((review) => ofReview(review, review.reviews, (x) => `${x}.status = ${status}`));
}

/**
 * Few approvals are forced: their sessions are found first, by the partial index. A session and its review
 * are of one organization. That of a call is the session that made it.
 */
function lookedAt({ afterReview }: SessionFilters, bind: Bind): SearchBranch {
  if (afterReview === undefined) return meets();
  const state = bind(afterReview);
  return isOf(`s.id = ANY (ARRAY(
    SELECT coalesce(forced.session_id, forced.call_session_id) FROM reviews AS forced WHERE forced.after_review = ${state}
    UNION ALL
    SELECT granted.session_id FROM granted_sessions AS granted JOIN reviews AS forced ON forced.id = granted.review_id
    WHERE forced.after_review = ${state}))`);
}

function approved({ reviewApprover }: SessionFilters, bind: Bind): SearchBranch[] {
  if (reviewApprover === undefined) return [meets()];
  const name = bind(reviewApprover);
  return REVIEWED.flatMap((review) =>
    ['approver_id', 'approver_email'].map((column) => ({
      ...ofReview(review, review.groups, (x) => `${x}.${column} = ${name}`),
      // One person may approve for two groups.
      repeats: true,
    })),
  );
}

function ofReview(
  review: Reviewed,
  table: RelatedRow['table'],
  condition: RelatedRow['condition'],
): SearchBranch {
  return {
    ...has({ table, condition: (row) => `${condition(row)} AND ${review.condition(row)}` }),
    review,
  };
}

/**
 * Contract, "Who may do what". Reviewers see the request, not the recording,
 * so they cannot search the recording.
 */
function seen(actor: Principal, { text }: SessionFilters, bind: Bind): SearchBranch[] {
  if (actor.role !== 'regular') return [meets()];
  const own = [`s.user_subject = ${bind(actor.subject)}`, `s.identity_type = ${bind(actor.identityType)}`];
  if (actor.groups.length === 0 || text !== undefined) return [isOf(...own)];
  const mine = bind([...actor.groups]);
  const asked = REVIEWED.map((review) => ({
    ...ofReview(review, review.groups, (x) => `${x}.group_name = mine.name`),
    // Several members of a group may have decided.
    repeats: true,
    eachOf: mine,
  }));
  return [isOf(...own), ...asked];
}

/** The conjunction of two branches; none if no session can match both. */
function both(left: SearchBranch, right: SearchBranch): SearchBranch[] {
  if (left.review !== undefined && right.review !== undefined && left.review !== right.review) return [];
  const conditions = [...left.conditions, ...right.conditions];
  return [{ ...left, ...right, conditions, beside: [...left.beside, ...right.beside] }];
}
