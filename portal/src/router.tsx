import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Navigate, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
import { administered, administeredByAdmins, open } from './administration-routes';
import { sessionEnded } from './api/session-ended';
import { operated, operatedByAdmins } from './operator-routes';
import { ahead } from './parts/ahead';
import { pageIn } from './parts/page-search';
import { patiently } from './parts/patiently';
import { Said } from './parts/said';
import { meta } from './shell/meta';
import { myRequestsQuery, reviewQuery, toDecideQuery, toSignOffQuery } from './reviews/review-queries';
import { filtersIn } from './sessions/session-filters';
import { sessionQuery, sessionsQuery } from './sessions/session-queries';
import { actors, admins, readers } from './shell/role-routes';
import { pagesOf } from './shell/pages';
import { mayAct, usePerson } from './shell/person';
import { whyFailed } from './shell/sign-in';
import { missing, root, shell } from './shell/root-routes';
import { texts } from './texts';

const home = createRoute({ getParentRoute: () => shell, path: '/', component: Home });
const signedIn = createRoute({
  getParentRoute: () => root,
  path: '/signed-in',
  component: SignedIn,
});
const connections = createRoute({
  getParentRoute: () => shell,
  path: '/connections',
  validateSearch: pageIn,
  component: lazyRouteComponent(
    patiently(() => import('./my-connections/my-connections')),
    'MyConnections',
  ),
});
const connection = createRoute({
  getParentRoute: () => shell,
  path: '/connections/$name',
  component: lazyRouteComponent(
    patiently(() => import('./my-connections/my-connection')),
    'MyConnection',
  ),
});
const run = createRoute({
  getParentRoute: () => actors,
  path: '/run',
  validateSearch: (search): { connection?: string } =>
    typeof search['connection'] === 'string' ? { connection: search['connection'] } : {},
  component: lazyRouteComponent(
    patiently(() => import('./run/run')),
    'Run',
  ),
});
const requests = createRoute({
  getParentRoute: () => shell,
  path: '/requests',
  validateSearch: pageIn,
  loader: ({ cause, location: { search } }) => ahead(cause, myRequestsQuery(pageIn(search))),
  component: lazyRouteComponent(
    patiently(() => import('./reviews/review-list')),
    'MyRequests',
  ),
});
const toDecide = createRoute({
  getParentRoute: () => shell,
  path: '/reviews',
  validateSearch: pageIn,
  loader: ({ cause, location: { search } }) => ahead(cause, toDecideQuery(pageIn(search))),
  component: lazyRouteComponent(
    patiently(() => import('./reviews/review-list')),
    'ToDecide',
  ),
});
const toSignOff = createRoute({
  getParentRoute: () => shell,
  path: '/sign-offs',
  validateSearch: pageIn,
  loader: ({ cause, location: { search } }) => ahead(cause, toSignOffQuery(pageIn(search))),
  component: lazyRouteComponent(
    patiently(() => import('./reviews/review-list')),
    'ToSignOff',
  ),
});
const review = createRoute({
  getParentRoute: () => shell,
  path: '/reviews/$id',
  loader: ({ cause, params }) => ahead(cause, reviewQuery(params.id)),
  component: lazyRouteComponent(
    patiently(() => import('./reviews/review-page')),
    'ReviewPage',
  ),
});
const sessions = createRoute({
  getParentRoute: () => shell,
  path: '/sessions',
  validateSearch: filtersIn,
  loader: ({ cause, location: { search } }) => ahead(cause, sessionsQuery(filtersIn(search))),
  component: lazyRouteComponent(
    patiently(() => import('./sessions/session-list')),
    'SessionList',
  ),
});
const session = createRoute({
  getParentRoute: () => shell,
  path: '/sessions/$id',
  loader: ({ cause, params }) => ahead(cause, sessionQuery(params.id)),
  component: lazyRouteComponent(
    patiently(() => import('./sessions/session-page')),
    'SessionPage',
  ),
});

export const router = createRouter({
  basepath: meta('base') || '/',
  routeTree: root.addChildren([
    signedIn,
    shell.addChildren([
      home,
      connections,
      connection,
      actors.addChildren([run]),
      requests,
      toDecide,
      toSignOff,
      review,
      sessions,
      session,
      ...open,
      admins.addChildren([...administeredByAdmins, ...operatedByAdmins]),
      readers.addChildren([...administered, ...operated]),
      missing,
    ]),
  ]),
  defaultPendingMs: 200,
  defaultPreload: 'intent',
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}

/** Redirects to the reviews if some wait for the user, otherwise to the first page in the user's menu. */
function Home() {
  const person = usePerson();
  const [first] = pagesOf(person);
  const { data, isLoading, failureCount } = useQuery({ ...toDecideQuery({}), enabled: mayAct(person) });
  // Wait for the first request only. If it fails, redirect without waiting for the retries.
  if (isLoading && failureCount === 0) return <Text role="status">{texts.states.loading}</Text>;
  const isAsked = data !== undefined && data.pages.total > 0;
  return <Navigate to={isAsked ? '/reviews' : (first?.to ?? '/connections')} replace />;
}

/** Page of the sign-in window after the sign-in. Closes the window, or shows why the sign-in failed. */
function SignedIn() {
  const why = whyFailed();
  if (why === undefined) {
    sessionEnded.begunAgain();
    window.close();
  }
  return (
    <Text role="status">
      <Said text={why === undefined ? texts.signIn.done : texts.signIn.failed(why)} />
    </Text>
  );
}
