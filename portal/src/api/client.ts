import createFetchClient, { type Middleware } from 'openapi-fetch';
import createClient from 'openapi-react-query';
import { meta } from '../shell/meta';
import { ApiFault } from './api-fault';
import { attendance } from './attendance';
import { readClock } from './gateway-clock';
import { pagePerson } from './page-person';
import type { paths } from './schema';
import { sessionEnded } from './session-ended';
import { upgrade } from './upgrade';

/** Path of the REST API at this host. */
export const API = meta('api');

/** The session's cookie goes along by itself; the header says that a page of the gateway sends the request. */
const OPTIONS = { baseUrl: API, headers: { 'X-Gateway-Portal': '1' }, fetch: whole };
const client = createFetchClient<paths>(OPTIONS);

/** What a page asks for by itself while somebody types: nobody is interrupted because of it. The next thing that they do tells them. */
const ASIDE: ReadonlySet<string> = new Set(['/connections/{nameOrID}/tables']);

const faults: Middleware = {
  async onResponse({ response, schemaPath }) {
    if (response.ok) return undefined;
    const fault = await ApiFault.of(response);
    if (fault.status === 401 && !ASIDE.has(schemaPath)) sessionEnded.announce();
    throw fault;
  },
  onError: ({ error }) => ApiFault.ofNetwork(error),
};
const page: Middleware = {
  onRequest({ request }) {
    pagePerson.mark(request.headers);
    attendance.mark(request.headers);
  },
  onResponse({ response }) {
    readClock(response);
    upgrade.read(response);
  },
};
client.use(faults, page);

/** Requests of the API as hooks: `api.useQuery('get', '/userinfo')`. They fail with `ApiFault`. */
export const api = createClient(client);

/** Requests outside of components. They reject with `ApiFault`. */
export const requests = client;

/** Who is signed in at this browser now, also where this page is of somebody else; undefined where nobody is, or it cannot be told. */
export async function whoIsSignedIn() {
  const unmarked = createFetchClient<paths>(OPTIONS);
  const answer = await unmarked.GET('/userinfo').catch(() => undefined);
  return answer?.data;
}

/** An answer that breaks off, because its gateway was lost, is a fault of the network as if it had never begun. Streams are read as they come. */
async function whole(request: Request): Promise<Response> {
  const response = await fetch(request);
  const { status, statusText, headers } = response;
  if (response.body === null || !/json/.test(headers.get('content-type') ?? '')) return response;
  return new Response(await response.arrayBuffer(), { status, statusText, headers });
}
