import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { isUUID } from 'class-validator';
import { Repository } from 'typeorm';
import { AppError } from '../kernel/app-error';
import type { Principal } from '../kernel/principal';
import { ReviewsService } from '../reviews/reviews.service';
import type { SessionPage } from './session-list.dto';
import type { SessionListQuery } from './session-list-query';
import { SessionSearch } from './session-search';
import { sessionHead } from './session-head';
import { Session } from './session.entity';

/** As far as the list counts, unless an exact count is asked for (contract, "GET /sessions"). */
const MOST_COUNTED = 10_000;

/** The sessions that a principal may see, newest first, without their recordings. */
@Injectable()
export class SessionList {
  constructor(
    @InjectRepository(Session) private readonly sessions: Repository<Session>,
    private readonly reviews: ReviewsService,
  ) {}

  async page(actor: Principal, query: SessionListQuery): Promise<SessionPage> {
    const details = actor.role !== 'regular';
    // By trying names, they would learn which rule it was that blocked them.
    if (!details && query.guardrail !== undefined && !isUUID(query.guardrail)) {
      throw new AppError(
        'forbidden',
        'guardrail by name is for auditors and admins; give the id of the rule',
      );
    }
    const search = new SessionSearch(actor, query);
    const [found, counted] = await Promise.all([this.find(search, query), this.count(search, query)]);
    const page = found.slice(0, query.limit);
    const reviews = await this.reviews.ofSessions(
      actor.orgId,
      page.map((session) => session.id),
    );
    const data = page.map((session) => ({
      ...sessionHead(session, reviews.get(session.id) ?? null, { script: false, details }),
      event_stream: [],
      event_size: session.eventSize,
    }));
    return { data, ...totalOf(counted, found.length, query), has_next_page: found.length > page.length };
  }

  /** The rows of the page without their scripts, and the one that follows. */
  private find(search: SessionSearch, { offset, limit }: SessionListQuery): Promise<Session[]> {
    const columns = this.sessions.metadata.columns.filter((column) => column.propertyName !== 'script');
    return this.sessions
      .createQueryBuilder('session')
      .select(columns.map((column) => `session.${column.propertyName}`))
      .where(`session.id = ANY (ARRAY(${search.page(offset, limit + 1)}))`, search.parameters)
      .orderBy({ 'session.startDate': 'DESC', 'session.id': 'DESC' })
      .getMany();
  }

  private async count(search: SessionSearch, { count }: SessionListQuery): Promise<number | undefined> {
    if (count === 'none') return undefined;
    const matches = search.matches(count === 'exact' ? undefined : MOST_COUNTED + 1);
    const row = await this.sessions.manager
      .createQueryBuilder()
      .select('count(*)::int', 'count')
      .from(`(${matches})`, 'matched')
      .setParameters(search.parameters)
      .getRawOne<{ count: number }>();
    return row?.count ?? 0;
  }
}

/** Page and count are asked for at the same time; where they disagree, the rows that were seen are right. */
function totalOf(
  counted: number | undefined,
  found: number,
  { offset, limit, count }: SessionListQuery,
): Pick<SessionPage, 'total' | 'total_is_capped'> {
  if (counted === undefined) return { total: null, total_is_capped: false };
  const isEnd = found <= limit && (found > 0 || offset === 0);
  const total = isEnd ? offset + found : Math.max(counted, found === 0 ? 0 : offset + found);
  const isCapped = count === 'capped' && total > MOST_COUNTED;
  return { total: isCapped ? MOST_COUNTED : total, total_is_capped: isCapped };
}
