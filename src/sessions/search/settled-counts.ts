import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { EntityManager } from 'typeorm';
import { InjectEntityManager } from '@nestjs/typeorm';
import { ChangeFeed } from '../../platform/database/feed/change-feed';
import { entriesAtMost } from '../../kernel/runtime/entries-at-most';
import type { Principal } from '../../kernel/principal';
import type { SessionListing } from './session-list-query';
import { SessionSearch } from './session-search';

/** Maximum of a count, unless the client requests an exact count (contract, "GET /sessions"). */
export const MOST_COUNTED = 10_000;

/** Maximum lists whose counts are cached. An entry has less than 1 kB. */
const MOST_REMEMBERED = 5_000;
/**
 * Maximum cached lists with an end time. Clients can request any number of them, so they have a cache of
 * their own and do not evict other lists.
 */
const MOST_OF_TIMES = 1_000;
/**
 * Maximum sessions that a request counts beyond the cached count. If there are more, it caches a new count.
 */
const MOST_NEWER = 1_000;

/** Count of a list's sessions that started before `before`. All of them were over when they were counted. */
export interface Settled {
  readonly before: Date;
  readonly count: number;
  /** Whether the count is complete; false: it stopped at `MOST_COUNTED` + 1. */
  readonly isWhole: boolean;
}

/** The cached count of a list, and the kinds of changes that invalidate it. */
interface Kept extends Settled {
  readonly orgId: string;
  readonly byGuardrail: boolean;
  readonly byReview: boolean;
}

/** Cache and key of one list. */
interface Place {
  readonly lists: LRUCache<string, Kept>;
  readonly key: string;
}

/**
 * Caches the lengths of lists of sessions. New sessions only come at the beginning of a list. Sessions that
 * started before the oldest unfinished session do not change, so they are counted once. Later requests count
 * only newer sessions.
 *
 * Counts are cached while the change feed is up, and used after the feed has caught up. If past sessions
 * change after all, triggers report it (migrations `ToldPast` and `ToldReviews`).
 */
@Injectable()
export class SettledCounts {
  private readonly ofAllTimes = new LRUCache<string, Kept>(entriesAtMost(MOST_REMEMBERED));
  private readonly ofTimes = new LRUCache<string, Kept>(entriesAtMost(MOST_OF_TIMES));
  private epoch = 0;

  /**
   * @param database the primary database, not a replica, because only the primary database knows the open
   * transactions, and so which sessions are over
   */
  constructor(
    private readonly feed: ChangeFeed,
    @InjectEntityManager() private readonly database: EntityManager,
  ) {
    feed.subscribe({
      changed: (table, id) => this.changed(table, id),
      reset: () => this.forget(() => true),
    });
  }

  /** Returns the cached count of the list, if it is still valid. */
  async of(actor: Principal, query: SessionListing): Promise<Settled | undefined> {
    const place = this.placeOf(actor, query);
    const known = place === undefined || !this.feed.live ? undefined : place.lists.get(place.key);
    // A count that has reached the maximum stays valid, because sessions that are over stay in the list. Only
    // lists that are filtered by review can lose sessions.
    if (place === undefined || known === undefined || (isEnough(known, query) && !known.byReview))
      return known;
    await this.feed.caughtUp();
    return this.feed.live ? place.lists.get(place.key) : undefined;
  }

  /**
   * Counts the sessions that match, at most `MOST_COUNTED` + 1 unless the exact number is requested.
   * @param db the database, or a replica that is current
   * @param known the result of `of`
   */
  async count(
    db: EntityManager,
    actor: Principal,
    query: SessionListing,
    known: Settled | undefined,
  ): Promise<number> {
    const most = mostOf(query);
    const place = this.placeOf(actor, query);
    if (place === undefined || !this.feed.live) return matches(db, actor, query, most);
    if (known !== undefined && isEnough(known, query)) return known.count;
    const whole = known?.isWhole === true ? known : undefined;
    if (whole !== undefined) {
      const newer = await this.since(db, actor, query, whole.before, MOST_NEWER + 1);
      if (newer <= MOST_NEWER) return whole.count + newer;
    }
    const settled = await this.settle(actor, query, place, whole);
    if (settled === undefined) return matches(db, actor, query, most);
    if (!settled.isWhole) return settled.count;
    return settled.count + (await this.since(db, actor, query, settled.before, most));
  }

  /**
   * Adds the sessions that are over, but not counted in `known` yet, to the count, and caches the new count.
   * Returns undefined for a list with an end time whose last sessions are not over yet.
   */
  private async settle(
    actor: Principal,
    query: SessionListing,
    { lists, key }: Place,
    known: Settled | undefined,
  ): Promise<Settled | undefined> {
    const { epoch, database: db } = this;
    const before = await settledBefore(db, actor.orgId);
    if (lists === this.ofTimes && !endsBefore(query, before)) return undefined;
    if (known !== undefined && before <= known.before) return known;
    const most = mostOf(query);
    const from = later(query.from, known?.before);
    const to = endsBefore(query, before) ? query.to : new Date(before.getTime() - 1);
    const count = (known?.count ?? 0) + (await matches(db, actor, { ...query, from, to }, most));
    const settled = { before, count, isWhole: most === undefined || count < most };
    if (epoch === this.epoch && this.feed.live)
      lists.set(key, { ...settled, ...dependenciesOf(actor, query) });
    return settled;
  }

  /** Counts the sessions of the list that started at `before` or later, up to `most`. */
  private async since(
    db: EntityManager,
    actor: Principal,
    query: SessionListing,
    before: Date,
    most: number | undefined,
  ): Promise<number> {
    if (endsBefore(query, before)) return 0;
    return matches(db, actor, { ...query, from: later(query.from, before) }, most);
  }

  private changed(table: string, id: string): void {
    if (table === 'sessions past') this.forget(({ orgId }) => orgId === id);
    if (table === 'session_guardrail_hits past')
      this.forget(({ orgId, byGuardrail }) => orgId === id && byGuardrail);
    if (table === 'reviews past') {
      const [org, oldest] = id.split(' ');
      this.forget(
        ({ orgId, byReview, before }) => orgId === org && byReview && before.getTime() > Number(oldest),
      );
    }
  }

  private forget(isConcerned: (list: Kept) => boolean): void {
    this.epoch += 1;
    for (const lists of [this.ofAllTimes, this.ofTimes])
      for (const [key] of [...lists.entries()].filter(([, list]) => isConcerned(list))) lists.delete(key);
  }

  /**
   * Returns the cache and the key of the list, the same for all pages; undefined for a list that is not
   * cached. Lists are not cached if they depend on searched words or on the groups of the reader. Lists with
   * a start but no end are not cached either, because "the last hour" is rarely requested again.
   */
  private placeOf(actor: Principal, query: SessionListing): Place | undefined {
    const { user, connection, type, verb, status, batchId, correlationId, guardrail } = query;
    const { from, to, reviewStatus, afterReview, reviewApprover, text } = query;
    if (text !== undefined || (from !== undefined && to === undefined)) return undefined;
    if (actor.role === 'regular' && actor.groups.length > 0) return undefined;
    const seen = actor.role === 'regular' ? [actor.identityType, actor.subject] : [];
    const filters = { user, connection, type, verb, status, batchId, correlationId, guardrail };
    const key = `${actor.orgId} ${JSON.stringify([seen, { ...filters, from, to, reviewStatus, afterReview, reviewApprover }])}`;
    return { lists: to === undefined ? this.ofAllTimes : this.ofTimes, key };
  }
}

const mostOf = ({ count }: SessionListing): number | undefined =>
  count === 'exact' ? undefined : MOST_COUNTED + 1;

/** Whether the count has reached the maximum that the request counts to. */
const isEnough = ({ count }: Settled, query: SessionListing): boolean => count >= (mostOf(query) ?? Infinity);

/**
 * Whether all sessions of the list started before this time. `to` stands for a whole millisecond, and
 * `before` is the beginning of a millisecond.
 */
const endsBefore = ({ to }: SessionListing, before: Date): boolean => to !== undefined && to < before;

/** Returns the later of two times; undefined if both are undefined. */
export function later(one: Date | undefined, other: Date | undefined): Date | undefined {
  return one === undefined || (other !== undefined && other > one) ? other : one;
}

function dependenciesOf(
  { orgId }: Principal,
  { guardrail, reviewStatus, afterReview, reviewApprover }: SessionListing,
): Omit<Kept, keyof Settled> {
  const byReview = [reviewStatus, afterReview, reviewApprover].some((filter) => filter !== undefined);
  return { orgId, byGuardrail: guardrail !== undefined, byReview };
}

async function matches(
  db: EntityManager,
  actor: Principal,
  filters: SessionListing,
  most: number | undefined,
): Promise<number> {
  return counted(db, new SessionSearch(actor, filters), most);
}

/** Counts the matches of a search, up to `most`. */
export async function counted(
  db: EntityManager,
  search: SessionSearch,
  most: number | undefined,
): Promise<number> {
  const row = await db
    .createQueryBuilder()
    .select('count(*)::int', 'count')
    .from(`(${search.matches(most)})`, 'matched')
    .setParameters(search.parameters)
    .getRawOne<{ count: number }>();
  return row?.count ?? 0;
}

/**
 * Returns a time before which all sessions are over and no session will be added. A session starts when the
 * transaction that stores it begins, so no new session starts before the oldest open transaction. The five
 * minutes are for sessions that another database role stores, because its transactions are not visible here.
 */
async function settledBefore(db: EntityManager, orgId: string): Promise<Date> {
  const oldest = (status: string): string =>
    `(SELECT start_date FROM sessions WHERE org_id = $1 AND status = '${status}' ORDER BY start_date LIMIT 1)`;
  const [row] = await db.query<{ before: Date }[]>(
    `SELECT date_trunc('milliseconds', least(now() - interval '5 minutes', ${oldest('open')}, ${oldest('ready')},
       (SELECT min(xact_start) FROM pg_stat_activity WHERE datname = current_database()))) AS before`,
    [orgId],
  );
  return row?.before ?? new Date(0);
}
