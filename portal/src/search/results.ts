import { api } from '../api/client';
import { texts } from '../texts';

/** One search result. */
export interface Result {
  readonly kind: keyof typeof texts.search.kinds;
  readonly label: string;
  /** Path of the result's page within the portal. */
  readonly path: string;
}

export interface Results {
  readonly found: readonly Result[];
  readonly isLooking: boolean;
  readonly isFailed: boolean;
  /** Whether some results may be missing: lists that the API cannot search are read only in part. */
  readonly isPartial: boolean;
}

export interface Scope {
  readonly pages: readonly { readonly to: string; readonly label: string }[];
  /** Whether the person may read users, guardrails and rules, as auditors and admins may. */
  readonly readsAll: boolean;
}

const MOST_OF_A_KIND = 8;
const MOST_LISTED = 1_000;
const KEPT_MS = 30_000;
const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Searches everything that the user may see. @param words the search text, without white space around it */
export function useResults(words: string, { pages, readsAll }: Scope): Results {
  const isId = ID.test(words);
  const looksUp = words !== '' && !isId;
  const searched = { params: { query: { page_size: MOST_OF_A_KIND, search: words.slice(0, 128) } } };
  const listed = { params: { query: { page_size: MOST_LISTED } } };
  const session = api.useQuery(
    'get',
    '/sessions/{session_id}',
    { params: { path: { session_id: words } } },
    { enabled: isId, retry: false },
  );
  const connections = api.useQuery('get', '/connections', searched, { enabled: looksUp });
  const users = api.useQuery('get', '/users', searched, { enabled: looksUp && readsAll });
  const guardrails = api.useQuery('get', '/guardrails', listed, {
    enabled: looksUp && readsAll,
    staleTime: KEPT_MS,
  });
  const rules = api.useQuery('get', '/access-requests/rules', listed, {
    enabled: looksUp && readsAll,
    staleTime: KEPT_MS,
  });
  const lists = [connections, users, guardrails, rules];
  const named = looksUp
    ? [
        ...(connections.data?.data ?? []).map(({ name }) =>
          resultOf('connection', name, '/connections', name),
        ),
        ...(users.data?.data ?? []).map(({ id, name, email }) =>
          resultOf('user', name === '' || name === email ? email : `${name} (${email})`, '/users', id),
        ),
        ...matching(guardrails.data?.data ?? [], words).map(({ id, name }) =>
          resultOf('guardrail', name, '/guardrails', id),
        ),
        ...matching(rules.data?.data ?? [], words).map(({ name }) =>
          resultOf('rule', name, '/access-rules', name),
        ),
      ]
    : [];
  return {
    found: [
      ...(isId && session.data !== undefined && typeof session.data !== 'string'
        ? [resultOf('session', texts.session.of(session.data), '/sessions', session.data.id)]
        : []),
      ...pages.filter(({ label }) => contains(label, words)).map(({ to, label }) => pageOf(to, label)),
      ...named,
    ],
    isLooking: [session, ...lists].some(({ isLoading }) => isLoading),
    // A failure of the session query is ignored, because an unknown id only means that nothing was found.
    isFailed: looksUp && lists.some(({ isError }) => isError),
    isPartial:
      looksUp && readsAll && [guardrails, rules].some(({ data }) => (data?.pages.total ?? 0) > MOST_LISTED),
  };
}

const pageOf = (path: string, label: string): Result => ({ kind: 'page', label, path });

function resultOf(kind: Result['kind'], label: string, path: string, id: string): Result {
  return { kind, label, path: `${path}/${encodeURIComponent(id)}` };
}

const contains = (text: string, words: string): boolean =>
  text.toLocaleLowerCase().includes(words.toLocaleLowerCase());

function matching<T extends { readonly name: string }>(things: readonly T[], words: string): readonly T[] {
  return things.filter(({ name }) => contains(name, words)).slice(0, MOST_OF_A_KIND);
}
