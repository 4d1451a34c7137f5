import type { Principal } from '../../kernel/principal';
import type { SessionFilters } from './session-list-query';

/** Requires a row in a table other than `sessions`. Rows of that table have the session's id and start. */
export interface RelatedRow {
  readonly table:
    | 'reviews'
    | 'review_groups'
    | 'granted_sessions'
    | 'granted_session_groups'
    | 'session_guardrail_hits';
  /** Returns the SQL condition on the row with this alias. */
  readonly condition: (row: string) => string;
}

/** One alternative in which a session can match. Each alternative becomes a query of its own. */
export interface SearchBranch {
  /** SQL conditions on the row of `sessions`, alias `s`. */
  readonly conditions: readonly string[];
  readonly beside: readonly RelatedRow[];
  /** The kind of review that the rows of `beside` belong to. A session has one review, of one kind. */
  readonly review?: Reviewed;
  /** Whether few sessions match the conditions. Then the query starts from `sessions`, not from `beside`. */
  readonly isNarrow?: boolean;
  /** Whether a session may match more than once, so that duplicates must be removed. */
  readonly repeats?: boolean;
  /** SQL parameter with a list of names. The query runs once for each name, available as `mine.name`. */
  readonly eachOf?: string;
}

/** Binds a value. Returns its placeholder in SQL. */
type Bind = (value: unknown) => string;

/** The tables of one kind of review: the reviews, and the decisions of their groups. */
interface Reviewed {
  readonly reviews: RelatedRow['table'];
  readonly groups: RelatedRow['table'];
  /** Returns the SQL condition on a row of either table. */
  readonly condition: (row: string) => string;
}

const REVIEWED: readonly Reviewed[] = [
  // The session waited for the review. Reviews of temporary access have no session.
  { reviews: 'reviews', groups: 'review_groups', condition: (row) => `${row}.session_id IS NOT NULL` },
  // The session used temporary access that the review granted.
  { reviews: 'granted_sessions', groups: 'granted_session_groups', condition: () => 'true' },
];

const meets = (...conditions: string[]): SearchBranch => ({ conditions, beside: [] });
const isOf = (...conditions: string[]): SearchBranch => ({ conditions, beside: [], isNarrow: true });
const has = (...beside: RelatedRow[]): SearchBranch => ({ conditions: [], beside });

/**
 * Returns the alternatives in which a session is visible to the principal and matches the filters. The
 * branches do not check the start time and the words of inputs. With `ids`, only sessions with these ids
 * match.
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

/** Returns a branch for filters that many sessions match. */
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
 * Returns a branch for the state of the sign-off (`after_review`). Selects session ids by the partial index
 * of forced approvals, because they are few. A session and its review have the same organization. A review of
 * a call belongs to the session that made the call.
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
      // A session matches twice if one person approved for two groups.
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
 * Returns branches for the sessions that the principal may see (contract, "Who may do what"). Reviewers see
 * the request but not the recording, so they cannot search the recording.
 */
function seen(actor: Principal, { text }: SessionFilters, bind: Bind): SearchBranch[] {
  if (actor.role !== 'regular') return [meets()];
  const own = [`s.user_subject = ${bind(actor.subject)}`, `s.identity_type = ${bind(actor.identityType)}`];
  if (actor.groups.length === 0 || text !== undefined) return [isOf(...own)];
  const mine = bind([...actor.groups]);
  const asked = REVIEWED.map((review) => ({
    ...ofReview(review, review.groups, (x) => `${x}.group_name = mine.name`),
    // A session matches several times if several members of a group decided.
    repeats: true,
    eachOf: mine,
  }));
  return [isOf(...own), ...asked];
}

/** Combines two branches with AND. Returns none if no session can match both. */
function both(left: SearchBranch, right: SearchBranch): SearchBranch[] {
  if (left.review !== undefined && right.review !== undefined && left.review !== right.review) return [];
  const conditions = [...left.conditions, ...right.conditions];
  return [{ ...left, ...right, conditions, beside: [...left.beside, ...right.beside] }];
}
