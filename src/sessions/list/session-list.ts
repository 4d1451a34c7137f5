import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { isUUID } from 'class-validator';
import { type EntityManager, Repository } from 'typeorm';
import { ReplicaReads } from '../../platform/database/pools/replica';
import type { AuditedRead } from '../../platform/http/routes/change';
import { AppError } from '../../kernel/app-error';
import type { Principal } from '../../kernel/principal';
import { ReviewsService } from '../../approvals/reviews/requests/reviews.service';
import { AuditedSearches } from '../search/audited-searches';
import type { SessionPage } from './session-list.dto';
import type { SessionListing } from '../search/session-list-query';
import { SessionSearch } from '../search/session-search';
import { MOST_COUNTED, SettledCounts, counted, later } from '../search/settled-counts';
import { sessionHead } from './session-head';
import { sessionsWith } from '../search/session-words';
import { SessionRow } from '../recording/session.entity';

/** The sessions that a principal may see, newest first, without their recordings. */
@Injectable()
export class SessionList {
  constructor(
    @InjectRepository(SessionRow) private readonly sessions: Repository<SessionRow>,
    private readonly reviews: ReviewsService,
    private readonly searches: AuditedSearches,
    private readonly counts: SettledCounts,
    private readonly replica: ReplicaReads,
  ) {}

  async page(read: AuditedRead, actor: Principal, query: SessionListing): Promise<SessionPage> {
    const details = actor.role !== 'regular';
    // Regular users must give an id, because by trying names they could learn which rule blocked an input.
    if (!details && query.guardrail !== undefined && !isUUID(query.guardrail)) {
      throw new AppError(
        'forbidden',
        'guardrail by name is for auditors and admins; give the id of the rule',
      );
    }
    const [found, count] = await this.findAndCount(read, actor, query);
    const page = found.slice(0, query.limit);
    const reviews = await this.reviews.ofSessions(actor.orgId, page);
    const data = page.map((session) => ({
      ...sessionHead(session, reviews.get(session.id) ?? null, { script: false, details }),
      event_stream: [],
      event_size: session.eventSize,
    }));
    return { data, ...totalOf(count, found.length, query), has_next_page: found.length > page.length };
  }

  private findAndCount(
    read: AuditedRead,
    actor: Principal,
    query: SessionListing,
  ): Promise<[SessionRow[], number | undefined]> {
    const { text } = query;
    if (text === undefined) return this.replica.read((db) => this.findAndCountRows(db, actor, query));
    return this.searches.run(read, actor, query.given, async (db) => {
      const search = new SessionSearch(actor, query, await sessionsWith(db, actor.orgId, query, text));
      const found = await this.find(db, search, query);
      if (query.count === 'none') return [found, undefined];
      // Skips the count on the last page, because it may be slow and is not needed there.
      const most = query.count === 'exact' ? undefined : MOST_COUNTED + 1;
      return [found, isEnd(found.length, query) ? 0 : await counted(db, search, most)];
    });
  }

  private async findAndCountRows(
    db: EntityManager,
    actor: Principal,
    query: SessionListing,
  ): Promise<[SessionRow[], number | undefined]> {
    const known = await this.counts.of(actor, query);
    const hasNoneBefore = known?.isWhole === true && known.count === 0;
    // Skips sessions that began before `known.before`: their cached count is 0, so none of them matches.
    const search = new SessionSearch(
      actor,
      hasNoneBefore ? { ...query, from: later(query.from, known.before) } : query,
    );
    if (query.count === 'none') return [await this.find(db, search, query), undefined];
    if (known === undefined)
      return Promise.all([this.find(db, search, query), this.counts.count(db, actor, query, undefined)]);
    const found = await this.find(db, search, query);
    return [found, isEnd(found.length, query) ? 0 : await this.counts.count(db, actor, query, known)];
  }

  /** Returns the rows of the page, without their scripts, and the first row of the next page. */
  private find(
    db: EntityManager,
    search: SessionSearch,
    { offset, limit }: SessionListing,
  ): Promise<SessionRow[]> {
    const columns = this.sessions.metadata.columns.filter((column) => column.propertyName !== 'script');
    return db
      .createQueryBuilder(SessionRow, 'session')
      .select(columns.map((column) => `session.${column.propertyName}`))
      .where(`session.id = ANY (ARRAY(${search.page(offset, limit + 1)}))`, search.parameters)
      .orderBy({ 'session.startDate': 'DESC', 'session.id': 'DESC' })
      .getMany();
  }
}

/** Returns the total. The page and the count are separate queries; if they disagree, the page decides. */
function totalOf(
  counted: number | undefined,
  found: number,
  query: SessionListing,
): Pick<SessionPage, 'total' | 'total_is_capped'> {
  const { offset, count } = query;
  if (counted === undefined) return { total: null, total_is_capped: false };
  const total = isEnd(found, query) ? offset + found : Math.max(counted, found === 0 ? 0 : offset + found);
  const isCapped = count === 'capped' && total > MOST_COUNTED;
  return { total: isCapped ? MOST_COUNTED : total, total_is_capped: isCapped };
}

/** Whether the page is the last one. Then the length of the list is the offset plus the rows found. */
function isEnd(found: number, { offset, limit }: SessionListing): boolean {
  return found <= limit && (found > 0 || offset === 0);
}
