import type { Principal } from '../../kernel/principal';
import type { SessionFilters } from './session-list-query';
import { type SearchBranch, branchesOf } from './search-branches';
import { type SessionsWithWords, hasWords } from './session-words';

const IN_ORDER = 'ORDER BY start DESC, id DESC';

/**
 * Finds the sessions that a principal may see and that match the filters, as SQL with named parameters.
 *
 * A session can match in several branches. For example, a filter by user matches the subject or the e-mail.
 * The principal may own the session, or be in a group that its review names. Each branch is a query that
 * reads one index in the order of the list, and stops at the end of the page. The union of the queries
 * contains the page. One query with an OR would fetch and sort all matches.
 */
export class SessionSearch {
  readonly parameters: Record<string, unknown> = {};
  private readonly org: string;
  private readonly times: readonly string[];
  private readonly branches: readonly SearchBranch[];
  /** Returns the condition on a row of `session_texts`; undefined if inputs need not be checked. */
  private readonly hasWords: ((row: string) => string) | undefined;

  /** @param worded Sessions that match `filters.text`. Required with `filters.text`. */
  constructor(actor: Principal, filters: SessionFilters, worded?: SessionsWithWords) {
    const bind = (value: unknown): string => {
      const name = `search_${Object.keys(this.parameters).length}`;
      this.parameters[name] = value;
      return `:${name}`;
    };
    const { from, to, text } = filters;
    this.org = bind(actor.orgId);
    this.times = [
      ...(from === undefined ? [] : [`>= ${bind(from)}`]),
      // Includes the whole last millisecond: starts have microseconds, but are shown in milliseconds.
      ...(to === undefined ? [] : [`< ${bind(new Date(to.getTime() + 1))}`]),
    ];
    this.branches = branchesOf(actor, filters, bind, worded === 'many' ? undefined : worded);
    this.hasWords = text !== undefined && worded === 'many' ? hasWords(text, bind) : undefined;
  }

  /** Returns SQL for the ids of one page. */
  page(offset: number, size: number): string {
    const found = this.branches.map((branch) => this.select(branch, `${IN_ORDER} LIMIT ${offset + size}`));
    return `SELECT id FROM (${found.join(' UNION ')}) AS found ${IN_ORDER} OFFSET ${offset} LIMIT ${size}`;
  }

  /** Returns SQL for one row for each matching session, unordered, at most `most` rows. */
  matches(most: number | undefined): string {
    const limit = most === undefined ? '' : `LIMIT ${most}`;
    const found = this.branches.map((branch) => this.select(branch, limit));
    return `SELECT id FROM (${found.join(' UNION ')}) AS found ${limit}`;
  }

  private select(branch: SearchBranch, end: string): string {
    const isAnyBranch = branch.conditions.length === 0 && branch.beside.length === 0;
    const readsTexts = isAnyBranch && this.hasWords !== undefined;
    const [first, ...others] = readsTexts ? [TEXTS] : sourcesOf(branch);
    const { start, id, org } = first;
    const joins = others.map(
      (other) => `JOIN ${other.table} ON ${other.id} = ${id} AND ${other.org} = ${org}`,
    );
    const conditions = [
      `${org} = ${this.org}`,
      ...(readsTexts ? [this.hasWords('x')] : []),
      ...branch.beside.map(({ condition }, place) => condition(`x${place}`)),
      ...this.times.map((time) => `${start} ${time}`),
      ...branch.conditions,
    ];
    // `session_texts` may have several rows for a session.
    const distinct = branch.repeats === true || readsTexts ? 'DISTINCT' : '';
    const query = `SELECT ${distinct} ${start} AS start, ${id} AS id
      FROM ${first.table} ${joins.join(' ')} ${readsTexts ? '' : this.inputOf(first)} WHERE ${conditions.join(' AND ')} ${end}`;
    if (branch.eachOf === undefined) return `(${query})`;
    return `(SELECT one.* FROM unnest(${branch.eachOf}::text[]) AS mine (name) CROSS JOIN LATERAL (${query}) AS one)`;
  }

  /**
   * Returns SQL that checks the inputs of one session after another, until the page is full. Its LIMIT
   * prevents a join of all rows.
   */
  private inputOf({ org, id }: Source): string {
    if (this.hasWords === undefined) return '';
    const own = `said.org_id = ${org} AND said.session_id = ${id}`;
    return `CROSS JOIN LATERAL (SELECT FROM session_texts AS said WHERE ${own} AND ${this.hasWords('said')} LIMIT 1) AS had`;
  }
}

/** A table with its alias, and its columns for the session. */
interface Source {
  readonly table: string;
  readonly org: string;
  readonly start: string;
  readonly id: string;
}

const SESSIONS: Source = { table: 'sessions AS s', org: 's.org_id', start: 's.start_date', id: 's.id' };

const TEXTS: Source = {
  table: 'session_texts AS x',
  org: 'x.org_id',
  start: 'x.session_start',
  id: 'x.session_id',
};

/**
 * Returns the tables of a branch. The first table gives the order of the list. It need not be `sessions`,
 * because every table has the id and the start of the session.
 */
function sourcesOf({ conditions, beside, isNarrow }: SearchBranch): readonly [Source, ...Source[]] {
  const others = beside.map(({ table }, place): Source => {
    const x = `x${place}`;
    return {
      table: `${table} AS ${x}`,
      org: `${x}.org_id`,
      start: `${x}.session_start`,
      id: `${x}.session_id`,
    };
  });
  const [first, ...rest] = others;
  if (first === undefined || isNarrow === true) return [SESSIONS, ...others];
  return conditions.length === 0 ? [first, ...rest] : [first, ...rest, SESSIONS];
}
