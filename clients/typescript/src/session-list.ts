import type { components, paths } from './schema.js';

type Page = components['schemas']['SessionPage'];
type Query = NonNullable<paths['/sessions']['get']['parameters']['query']>;

/** The filters of the list of sessions. */
export type SessionQuery = Omit<Query, 'limit' | 'offset' | 'count'>;
export type SessionEntry = Page['data'][number];

const ON_A_PAGE = 100;
const LARGEST_OFFSET = 10_000;

/**
 * Yields all sessions that match, newest first. After the largest offset of the API, continues with a filter
 * by start time.
 */
export async function* eachSession(
  read: (query: Query) => Promise<Page>,
  query: SessionQuery,
): AsyncGenerator<SessionEntry, void> {
  let until = query.end_date;
  let offset = 0;
  let seen = { start: '', ids: new Set<string>() };
  for (;;) {
    const end = until === undefined ? {} : { end_date: until };
    const page = await read({ ...query, ...end, limit: ON_A_PAGE, offset, count: 'none' });
    for (const session of page.data) {
      if (seen.start !== session.start_date) seen = { start: session.start_date, ids: new Set() };
      if (seen.ids.has(session.id)) continue;
      seen.ids.add(session.id);
      yield session;
    }
    if (!page.has_next_page) return;
    // Fixes the end of the range, so that new sessions do not shift the next pages.
    until ??= page.data[0]?.start_date;
    offset += ON_A_PAGE;
    if (offset > LARGEST_OFFSET && seen.start !== until) [until, offset] = [seen.start, 0];
  }
}
