import { useQuery } from '@tanstack/react-query';
import { api, requests } from './client';
import type { components } from './schema';

/** Time for which loaded suggestions are reused. Suggestions are only the first page of each list. */
const STALE_MS = 30_000;

/** Returns names of groups as suggestions. The user can type other names, too. */
export function useGroupNames(): readonly string[] {
  const { data } = api.useQuery('get', '/groups', undefined, { staleTime: STALE_MS });
  return data?.data.map(({ name }) => name) ?? [];
}

/** Returns names of attributes as suggestions. The user can type other names, too. */
export function useAttributeNames(): readonly string[] {
  const { data } = api.useQuery('get', '/attributes', undefined, { staleTime: STALE_MS });
  return data?.data.map(({ name }) => name) ?? [];
}

/** Connections for suggestions, whose name or description contains the search text. */
export function useConnectionChoices(search = ''): readonly components['schemas']['ConnectionView'][] {
  const query = search === '' ? {} : { search };
  const { data } = api.useQuery('get', '/connections', { params: { query } }, { staleTime: STALE_MS });
  return data?.data ?? [];
}

export type Kind = components['schemas']['ConnectionKindView'];

/** Query options: kinds never become stale, because they change only with the gateway's version. */
const OF_KINDS = { staleTime: Infinity } as const;

/** The kinds of connections, for a page that cannot be shown without them. */
export function useKindList() {
  return api.useQuery('get', '/connection-kinds', undefined, OF_KINDS);
}

/** The kinds of connections; empty while they load. */
export function useKinds(): readonly Kind[] {
  return useKindList().data?.data ?? [];
}

/** The kind of a connection; undefined while the kinds load. */
export function useKind(subtype: string): Kind | undefined {
  return useKinds().find((kind) => kind.subtype === subtype);
}

/** Returns a function that maps a subtype to the title of its kind, or to itself while the kinds load. */
export function useKindTitle(): (subtype: string) => string {
  const kinds = useKinds();
  return (subtype) => kinds.find((kind) => kind.subtype === subtype)?.title ?? subtype;
}

export type User = components['schemas']['UserView'];

/** Active users by group. Only the users on the first `MOST_PAGES` pages of the user list are included. */
export interface Members {
  readonly byGroup: ReadonlyMap<string, readonly User[]>;
  /** False when there are more users than `MOST_PAGES` pages contain. */
  readonly isWhole: boolean;
}

const MOST_PAGES = 10;

/** The active people of each group. */
export function useMembers() {
  return useQuery<Members, unknown>({ queryKey: ['members'], queryFn: readMembers, staleTime: STALE_MS });
}

async function readMembers(): Promise<Members> {
  const byGroup = new Map<string, User[]>();
  let read = 0;
  let total = 1;
  for (let page = 1; page <= MOST_PAGES && read < total; page++) {
    const { data } = await requests.GET('/users', { params: { query: { page } } });
    if (data === undefined || data.data.length === 0) break;
    read += data.data.length;
    total = data.pages.total;
    for (const user of data.data.filter(({ status }) => status === 'active'))
      for (const group of new Set([...user.groups, ...user.idp_groups]))
        byGroup.set(group, [...(byGroup.get(group) ?? []), user]);
  }
  return { byGroup, isWhole: read >= total };
}
