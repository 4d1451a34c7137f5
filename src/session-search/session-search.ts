import type { Principal } from '../kernel/principal';
import type { SessionFilters } from './session-list-query';
import { type Way, waysOf } from './session-ways';
import { type Worded, hasWords } from './session-words';

const IN_ORDER = 'ORDER BY start DESC, id DESC';

/**
 * The sessions that a principal may see and that match, as SQL with named parameters.
 *
 * Where a session can match in several ways (a user by subject or by e-mail; one's own session or one with a review
 * that names one's group), each way is a query of its own that reads one index in the order of the list, and only as
 * far as the page reaches: the first of each way hold the first of all. With an OR, all would be fetched and sorted.
 */
export class SessionSearch {
  readonly parameters: Record<string, unknown> = {};
  private readonly org: string;
  private readonly times: readonly string[];
  private readonly ways: readonly Way[];
  /** What an input must have, where it is to be looked for on the way. */
  private readonly hasWords: ((row: string) => string) | undefined;

  /** @param worded The sessions that have the words of `filters.text`; to be given with it. */
  constructor(actor: Principal, filters: SessionFilters, worded?: Worded) {
    const bind = (value: unknown): string => {
      const name = `search_${Object.keys(this.parameters).length}`;
      this.parameters[name] = value;
      return `:${name}`;
    };
    const { from, to, text } = filters;
    this.org = bind(actor.orgId);
    this.times = [
      ...(from === undefined ? [] : [`>= ${bind(from)}`]),
      // Sessions start to the microsecond and are shown to the millisecond: the whole of the last one belongs.
      ...(to === undefined ? [] : [`< ${bind(new Date(to.getTime() + 1))}`]),
    ];
    this.ways = waysOf(actor, filters, bind, worded === 'many' ? undefined : worded);
    this.hasWords = text !== undefined && worded === 'many' ? hasWords(text, bind) : undefined;
  }

  /** The ids of one page. */
  page(offset: number, size: number): string {
    const found = this.ways.map((way) => this.select(way, `${IN_ORDER} LIMIT ${offset + size}`));
    return `SELECT id FROM (${found.join(' UNION ')}) AS found ${IN_ORDER} OFFSET ${offset} LIMIT ${size}`;
  }

  /** A row for each match, in no order; no more than `most` are looked for. */
  matches(most: number | undefined): string {
    const limit = most === undefined ? '' : `LIMIT ${most}`;
    const found = this.ways.map((way) => this.select(way, limit));
    return `SELECT id FROM (${found.join(' UNION ')}) AS found ${limit}`;
  }

  private select(way: Way, end: string): string {
    const isAnyWay = way.conditions.length === 0 && way.beside.length === 0;
    const readsTexts = isAnyWay && this.hasWords !== undefined;
    const [first, ...others] = readsTexts ? [TEXTS] : sourcesOf(way);
    const { start, id, org } = first;
    const joins = others.map(
      (other) => `JOIN ${other.table} ON ${other.id} = ${id} AND ${other.org} = ${org}`,
    );
    const conditions = [
      `${org} = ${this.org}`,
      ...(readsTexts ? [this.hasWords('x')] : []),
      ...way.beside.map(({ condition }, place) => condition(`x${place}`)),
      ...this.times.map((time) => `${start} ${time}`),
      ...way.conditions,
    ];
    // A row for each input: a session can have several.
    const distinct = way.repeats === true || readsTexts ? 'DISTINCT' : '';
    const query = `SELECT ${distinct} ${start} AS start, ${id} AS id
      FROM ${first.table} ${joins.join(' ')} ${readsTexts ? '' : this.inputOf(first)} WHERE ${conditions.join(' AND ')} ${end}`;
    if (way.eachOf === undefined) return `(${query})`;
    return `(SELECT one.* FROM unnest(${way.eachOf}::text[]) AS mine (name) CROSS JOIN LATERAL (${query}) AS one)`;
  }

  /** Looks at the inputs of one session after another, until the page is full: the limit keeps it from being a join of all. */
  private inputOf({ org, id }: Source): string {
    if (this.hasWords === undefined) return '';
    const own = `said.org_id = ${org} AND said.session_id = ${id}`;
    return `CROSS JOIN LATERAL (SELECT FROM session_texts AS said WHERE ${own} AND ${this.hasWords('said')} LIMIT 1) AS had`;
  }
}

/** A table as it is called in a query, and where it tells of a session. */
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

/** What is read; the first gives the order. What is beside a session tells its id and its place in the list too. */
function sourcesOf({ conditions, beside, isNarrow }: Way): readonly [Source, ...Source[]] {
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
