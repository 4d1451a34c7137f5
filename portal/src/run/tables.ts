import { useQuery } from '@tanstack/react-query';
import { requests } from '../api/client';
import { usePerson } from '../shell/person';
import type { Tables } from './completion';

/** Each time they are listed, a session is recorded. */
const STALE_MS = 10 * 60_000;

/**
 * The tables of a connection, for completion. A refusal is not shown: the editor just completes less.
 * @param connection undefined while nobody needs them
 */
export function useTables(connection: string | undefined): Tables | undefined {
  const { id } = usePerson();
  const query = useQuery<Tables | null, unknown>({
    queryKey: ['tables', id, connection],
    queryFn: async () => {
      const path = { nameOrID: connection ?? '' };
      const { data } = await requests.GET('/connections/{nameOrID}/tables', { params: { path } });
      return data ?? null;
    },
    enabled: connection !== undefined,
    retry: false,
    staleTime: STALE_MS,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  return query.data ?? undefined;
}
