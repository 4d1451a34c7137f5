import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { EntityManager } from 'typeorm';
import { InjectEntityManager } from '@nestjs/typeorm';
import { ChangeFeed } from '../../platform/database/feed/change-feed';
import { entriesAtMost } from '../../kernel/runtime/entries-at-most';
import type { Principal } from '../../kernel/principal';
import type { SessionListing } from './session-list-query';
import { SessionSearch } from './session-search';

/** A count stops here, unless the client asks for an exact one (contract, "GET /sessions"). */
export const MOST_COUNTED = 10_000;

/** Lists of which something is remembered. An entry takes less than 1 kB. */
const MOST_REMEMBERED = 5_000;
/**
 * Lists of given times come in any number. They have a place of their own, so
 * that they do not push out the others.
 */
const MOST_OF_TIMES = 1_000;
/** More sessions than these after the settled ones are settled too, as far as they are over. */
const MOST_NEWER = 1_000;

/**
 * Known count of one list: the number of its sessions that started before a time at which all of them were
 * over.
 */
export interface Settled {
  readonly before: Date;
  readonly count: number;
  /** False: it stopped at `MOST_COUNTED` + 1. */
  readonly isWhole: boolean;
}

/** A list as it is remembered. */
interface Kept extends Settled {
  readonly orgId: string;
  readonly byGuardrail: boolean;
  readonly byReview: boolean;
}

/** Cache and key under which one list is remembered. */
interface Place {
  readonly lists: LRUCache<string, Kept>;
  readonly key: string;
}

/**
 * The lengths of lists of sessions. A list grows at its head: what started before the oldest session that is
 * not over stays as it is, so it is counted once, and later only what came after it.
 *
 * It is remembered while the change feed is up. Triggers report all the same when the past changes
 * (migrations `ToldPast` and `ToldReviews`), and a remembered count is used after the feed has caught up.
 */
@Injectable()
export class SettledCounts {
  private readonly ofAllTimes = new LRUCache<string, Kept>(entriesAtMost(MOST_REMEMBERED));
  private readonly ofTimes = new LRUCache<string, Kept>(entriesAtMost(MOST_OF_TIMES));
  private epoch = 0;

  /**
   * @param database which transactions are open, and so what is over, only the
   * database itself knows: not a replica.
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

  /** Returns the remembered count of the list that still holds. */
  async of(actor: Principal, query: SessionListing): Promise<Settled | undefined> {
    const place = this.placeOf(actor, query);
    const known = place === undefined || !this.feed.live ? undefined : place.lists.get(place.key);
    // Settled sessions stay: at least as many are there now. But a session can leave a list by review.
    if (place === undefined || known === undefined || (isEnough(known, query) && !known.byReview))
      return known;
    await this.feed.caughtUp();
    return this.feed.live ? place.lists.get(place.key) : undefined;
  }

  /**
   * Counts the sessions that match, at most `MOST_COUNTED` + 1 unless the exact number is asked for.
   * @param db the database, or a replica of it that is current
   * @param known what `of` found
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
   * Counts what is over by now, beyond what is known, and remembers it. Undefined: a list of given times goes
   * on after what is over.
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

  /** Number of the list's sessions that started at `before` or later. */
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
   * Returns the place where the list is remembered, the same for all pages. A list is not remembered if it
   * depends on searched words, on the groups of the reader, or on a start without an end: "the last hour"
   * rarely comes again.
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

/** Whether the answer is that there are more than are counted. */
const isEnough = ({ count }: Settled, query: SessionListing): boolean => count >= (mostOf(query) ?? Infinity);

/**
 * Whether all of the list started before that time. `to` stands for a whole millisecond, and `before` is at
 * the begin of one.
 */
const endsBefore = ({ to }: SessionListing, before: Date): boolean => to !== undefined && to < before;

/** The later of two times, of those that are given. */
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

/** Counts what a search finds, up to `most`. */
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
 * A time before which all sessions are over and none will come: a session starts when the transaction that
 * stores it begins, so it is not before the oldest transaction of now. The minutes are for sessions that are
 * stored under another role of the database, whose transactions this one does not see.
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
