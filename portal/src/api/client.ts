import { onlineManager } from '@tanstack/react-query';
import createFetchClient, { type Middleware } from 'openapi-fetch';
import createClient from 'openapi-react-query';
import { meta } from '../shell/meta';
import { ApiFault } from './api-fault';
import { attendance } from './attendance';
import { gatewayNow, readClock } from './gateway-clock';
import { pagePerson } from './page-person';
import type { paths } from './schema';
import { sessionEnded } from './session-ended';
import { upgrade } from './upgrade';

/** Path of the REST API at this host. */
export const API = meta('api');

/** Options of each request. The browser adds the cookie; the header marks requests of the portal's pages. */
const OPTIONS = { baseUrl: API, headers: { 'X-Gateway-Portal': '1' }, fetch: whole };
const client = createFetchClient<paths>(OPTIONS);

/**
 * Paths of requests that a page sends in the background while the user types. A 401 response to them does not
 * interrupt the user; the user's next action will get a 401, too.
 */
const ASIDE: ReadonlySet<string> = new Set(['/connections/{nameOrID}/tables']);

const SENT_HEADER = 'X-Gateway-Portal-Sent';
const REQUEST_HEADER = 'X-Gateway-Portal-Request';
/**
 * Paths of POST and DELETE requests that may be repeated. The first two change nothing and use POST only
 * because their texts are too long for a URL. A second sign-out has no further effect.
 */
const HARMLESS: ReadonlySet<string> = new Set([
  '/connections/{nameOrID}/script-check',
  '/guardrails/dry-run',
  '/portal-session',
]);
const isRead = ({ method }: Request): boolean => method === 'GET' || method === 'HEAD';
const isChange = (request: Request, schemaPath: string): boolean =>
  !isRead(request) && !HARMLESS.has(schemaPath);

const faults: Middleware = {
  async onResponse({ request, response, schemaPath }) {
    if (response.ok) return undefined;
    const fault = await ApiFault.of(response, isChange(request, schemaPath));
    if (fault.status === 401 && !ASIDE.has(schemaPath)) sessionEnded.announce();
    throw fault;
  },
  onError: ({ request, error, schemaPath }) => ApiFault.ofNetwork(error, isChange(request, schemaPath)),
};
const page: Middleware = {
  onRequest({ request, schemaPath }) {
    // A browser that loses a connection repeats the request by itself. With these headers, the gateway
    // accepts a request only once, and only if it arrives soon.
    if (isChange(request, schemaPath)) {
      request.headers.set(REQUEST_HEADER, crypto.randomUUID());
      request.headers.set(SENT_HEADER, String(gatewayNow()));
    }
    pagePerson.mark(request.headers);
    attendance.mark(request.headers);
  },
  onResponse({ response }) {
    readClock(response);
    upgrade.read(response);
  },
};
client.use(faults, page);

/** The REST API as React hooks: `api.useQuery('get', '/userinfo')`. The hooks fail with `ApiFault`. */
export const api = createClient(client);

/** The REST API for code outside of React components. Requests reject with `ApiFault`. */
export const requests = client;

/**
 * Returns the user who is signed in at this browser now, even if this page belongs to another user; undefined
 * when nobody is signed in, or when the request fails.
 */
export async function whoIsSignedIn() {
  const unmarked = createFetchClient<paths>(OPTIONS);
  const answer = await unmarked.GET('/userinfo').catch(() => undefined);
  return answer?.data;
}

/**
 * Sends a request and reads a JSON response to its end, so that a connection that breaks in the middle counts
 * as a network fault. Streams are returned unread. Refuses changes while the browser is offline, so that the
 * user sees the failure at once and nothing is sent later.
 */
async function whole(request: Request): Promise<Response> {
  if (!isRead(request) && !onlineManager.isOnline()) throw ApiFault.unsent();
  const response = await fetch(request);
  const { status, statusText, headers } = response;
  if (response.body === null || !/json/.test(headers.get('content-type') ?? '')) return response;
  return new Response(await response.arrayBuffer(), { status, statusText, headers });
}
