import { useQuery } from '@tanstack/react-query';
import { useReviewUpdates } from '../api/review-updates';
import type { components } from '../api/schema';
import { sessionQuery } from './session-queries';

/** Poll interval when no event reports changes to the page. */
const ASKED_EVERY_MS = 10_000;

export type Session = components['schemas']['SessionView'];

/** A recorded event: milliseconds since the start, input, output or error, content in base64. */
export type SessionEvent = readonly [milliseconds: number, type: 'i' | 'o' | 'e', content: string];

/** Reads one session, repeatedly until it has ended. @param expand large parts of the session to include */
export function useSession(id: string, expand: ('event_stream' | 'session_input')[] = []) {
  const query = useQuery({
    ...sessionQuery(id, expand),
    refetchInterval: ({ state: { data } }) => (mayChange(data) ? ASKED_EVERY_MS : false),
    // The answer is a string only if a file was requested.
    select: (answer): Session => {
      if (typeof answer === 'string') throw new Error('the session came as a file');
      return answer;
    },
  });
  // Listen for changed reviews only if the session has one. The end of a session is seen in its recording.
  useReviewUpdates(mayChange(query.data) && (query.data?.review ?? null) !== null);
  return query;
}

const mayChange = (session: Session | string | undefined): boolean =>
  typeof session === 'object' && session.status !== 'done';
