import { useQuery } from '@tanstack/react-query';
import { requests } from '../api/client';
import { usePerson } from '../shell/person';
import type { Tables } from './completion';

/** Cache time of the tables. It is long, because each request for them records a session. */
const STALE_MS = 10 * 60_000;

/**
 * Returns the tables of a connection, for completion. If they cannot be read, completion has no tables, and
 * no error is shown.
 * @param connection undefined until the tables are needed
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
