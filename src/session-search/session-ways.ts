import type { Principal } from '../kernel/principal';
import type { SessionFilters } from './session-list-query';

/** A row that must be there, in a table whose rows bear the id and the start of their session. */
export interface Beside {
  readonly table:
    | 'reviews'
    | 'review_groups'
    | 'granted_sessions'
    | 'granted_session_groups'
    | 'session_guardrail_hits';
  /** SQL, of the row by that name. */
  readonly condition: (row: string) => string;
}

/** One way for a session to match. */
export interface Way {
  /** SQL: what its row `s` must meet. */
  readonly conditions: readonly string[];
  readonly beside: readonly Beside[];
  /** Which of its reviews the rows beside it are of: a session has one, of one sort. */
  readonly review?: Reviewed;
  /** Few rows meet the conditions: they are looked through, not what is beside them. */
  readonly isNarrow?: boolean;
  /** It may match more than once. */
  readonly repeats?: boolean;
  /** A parameter that lists names: it matches if it does for one of them, as `mine.name`. */
  readonly eachOf?: string;
}

/** Takes a value, gives what stands for it in SQL. */
type Bind = (value: unknown) => string;

/** Where the review of a session is found, and what its groups said. */
interface Reviewed {
  readonly reviews: Beside['table'];
  readonly groups: Beside['table'];
  /** SQL, of a row of either. */
  readonly condition: (row: string) => string;
}

const REVIEWED: readonly Reviewed[] = [
  // The session waited for it. Those of a span of time are of no one session.
  { reviews: 'reviews', groups: 'review_groups', condition: (row) => `${row}.session_id IS NOT NULL` },
  // The session came by the leave that it gave.
  { reviews: 'granted_sessions', groups: 'granted_session_groups', condition: () => 'true' },
];

const meets = (...conditions: string[]): Way => ({ conditions, beside: [] });
const isOf = (...conditions: string[]): Way => ({ conditions, beside: [], isNarrow: true });
const has = (...beside: Beside[]): Way => ({ conditions: [], beside });

/**
 * All ways in which a session can be one that the principal may see and that matches, save the time it started and
 * what was put in; `ids` are those it may be.
 */
export function waysOf(
  actor: Principal,
  filters: SessionFilters,
  bind: Bind,
  ids?: readonly string[],
): readonly Way[] {
  const choices = [
    seen(actor, filters, bind),
    [hit(filters, bind)],
    approved(filters, bind),
    reviewed(filters, bind),
    [kind(filters, bind)],
    [origin(filters, bind)],
    ranBy(filters, bind),
    [ids === undefined ? meets() : isOf(`s.id = ANY (${bind(ids)}::uuid[])`)],
  ];
  return choices.reduce((found, ways) => found.flatMap((left) => ways.flatMap((right) => both(left, right))));
}

/** What many sessions have in common. */
function kind({ type, verb, status }: SessionFilters, bind: Bind): Way {
  return meets(...equal({ type, verb, status }, bind));
}

function origin({ connection, batchId, correlationId }: SessionFilters, bind: Bind): Way {
  const columns = { connection_name: connection, session_batch_id: batchId, correlation_id: correlationId };
  const conditions = equal(columns, bind);
  return conditions.length === 0 ? meets() : isOf(...conditions);
}

function equal(columns: Readonly<Record<string, string | undefined>>, bind: Bind): string[] {
  const given = Object.entries(columns).filter(([, value]) => value !== undefined);
  return given.map(([column, value]) => `s.${column} = ${bind(value)}`);
}

function ranBy({ user }: SessionFilters, bind: Bind): Way[] {
  if (user === undefined) return [meets()];
  const name = bind(user);
  return [isOf(`s.user_subject = ${name}`), isOf(`s.user_email = ${name}`)];
}

function hit({ guardrail }: SessionFilters, bind: Bind): Way {
  if (guardrail === undefined) return meets();
  const rule = bind(guardrail);
  return has({ table: 'session_guardrail_hits', condition: (x) => `${x}.rule = ${rule}` });
}

function reviewed({ reviewStatus }: SessionFilters, bind: Bind): Way[] {
  if (reviewStatus === undefined) return [meets()];
  const status = bind(reviewStatus);
  return REVIEWED.map((review) => ofReview(review, review.reviews, (x) => `${x}.status = ${status}`));
}

function approved({ reviewApprover }: SessionFilters, bind: Bind): Way[] {
  if (reviewApprover === undefined) return [meets()];
  const name = bind(reviewApprover);
  return REVIEWED.flatMap((review) =>
    ['approver_id', 'approver_email'].map((column) => ({
      ...ofReview(review, review.groups, (x) => `${x}.${column} = ${name}`),
      // In the name of two groups, one person approves twice.
      repeats: true,
    })),
  );
}

function ofReview(review: Reviewed, table: Beside['table'], condition: Beside['condition']): Way {
  return {
    ...has({ table, condition: (row) => `${condition(row)} AND ${review.condition(row)}` }),
    review,
  };
}

/** Contract, "Who may do what". Reviewers see the request, not the recording: they cannot search it either. */
function seen(actor: Principal, { text }: SessionFilters, bind: Bind): Way[] {
  if (actor.role !== 'regular') return [meets()];
  const own = [`s.user_subject = ${bind(actor.subject)}`, `s.identity_type = ${bind(actor.identityType)}`];
  if (actor.groups.length === 0 || text !== undefined) return [isOf(...own)];
  const mine = bind([...actor.groups]);
  const asked = REVIEWED.map((review) => ({
    ...ofReview(review, review.groups, (x) => `${x}.group_name = mine.name`),
    // Several members of a group may have said something.
    repeats: true,
    eachOf: mine,
  }));
  return [isOf(...own), ...asked];
}

/** None, where no session can match both. */
function both(left: Way, right: Way): Way[] {
  if (left.review !== undefined && right.review !== undefined && left.review !== right.review) return [];
  const conditions = [...left.conditions, ...right.conditions];
  return [{ ...left, ...right, conditions, beside: [...left.beside, ...right.beside] }];
}
