import { api } from '../api/client';
import type { SessionFilters } from './session-filters';

/** Number of sessions on one page of the list. */
export const LISTED = 50;

export const sessionsQuery = ({ offset = 0, ...filters }: SessionFilters) =>
  api.queryOptions('get', '/sessions', { params: { query: { ...filters, limit: LISTED, offset } } });

/** @param expand names of large parts of the session to include */
export const sessionQuery = (id: string, expand: ('event_stream' | 'session_input')[] = []) =>
  api.queryOptions('get', '/sessions/{session_id}', {
    params: { path: { session_id: id }, query: { expand } },
  });
