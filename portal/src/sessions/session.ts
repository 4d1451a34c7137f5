import { api } from '../api/client';
import type { components } from '../api/schema';

export type Session = components['schemas']['SessionView'];

/** What is recorded: milliseconds since the start, input, output or error, content in base64. */
export type SessionEvent = readonly [milliseconds: number, type: 'i' | 'o' | 'e', content: string];

/** A session that has not ended is asked for again. */
const ASKED_EVERY_MS = 2_000;

/** One session. @param expand its large parts */
export function useSession(id: string, expand: ('event_stream' | 'session_input')[] = []) {
  return api.useQuery(
    'get',
    '/sessions/{session_id}',
    { params: { path: { session_id: id }, query: { expand } } },
    {
      refetchInterval: ({ state: { data } }) =>
        typeof data === 'object' && data.status !== 'done' ? ASKED_EVERY_MS : false,
      // Only a file would be text.
      select: (answer): Session => {
        if (typeof answer === 'string') throw new Error('the session came as a file');
        return answer;
      },
    },
  );
}

/** How a session went, in one word of `texts.sessions.outcomes`. */
export function outcomeOf({
  status,
  exit_code: code,
  guardrails_info: hits,
}: Pick<Session, 'status' | 'exit_code' | 'guardrails_info'>) {
  if (status !== 'done') return status;
  if (hits.length > 0) return 'blocked';
  return code === 0 ? 'clean' : 'failed';
}
