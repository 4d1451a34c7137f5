import { isDeepStrictEqual } from 'node:util';
import { eventually } from '../support/eventually';
import { caseFor } from '../support/operation-cases';
import { type World, startWorld } from '../support/operation-world';
import { type Operation, operations } from '../support/operations';
import { describeScoped } from '../support/describe';
import type { Answer, Person } from '../support/gateway';
import { keptState, settledState } from '../support/portal/kept-state';
import { OWN_CHANGE, OWN_PAGE, type PortalBrowser, signInAtPortal } from '../support/portal';
import { turnOf } from '../support/volume';

type Headers = Record<string, string>;

/**
 * Values of the header `Sec-Fetch-Site`: all that browsers send, none, and values that resemble the right
 * one.
 */
const SITES = [
  undefined,
  'cross-site',
  'same-site',
  'none',
  'same-origin',
  '',
  'Same-Origin',
  'same-origin, cross-site',
];
/**
 * Values of the header `X-Gateway-Portal`, which the portal's pages send: the right one, none, wrong ones.
 */
const MARKS = [undefined, '1', '0', '1, 1'];
/** Content types that an HTML form can send (HTML standard, "enctype"). */
const FORMS = ['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'text/plain'];

/** Headers of requests that no page of the portal sends. */
const forged: readonly Headers[] = [
  ...SITES.flatMap((site) =>
    MARKS.map((mark) => ({
      ...(site === undefined ? {} : { 'sec-fetch-site': site }),
      ...(mark === undefined ? {} : { 'x-gateway-portal': mark }),
    })),
  ).filter((headers) => JSON.stringify(headers) !== JSON.stringify(OWN_CHANGE)),
  // Headers of HTML forms on another site, on another port of the same site, and on a page of the gateway
  // itself.
  ...['cross-site', 'same-site', 'same-origin'].flatMap((site) =>
    FORMS.map((type) => ({
      'sec-fetch-site': site,
      'sec-fetch-mode': 'navigate',
      'sec-fetch-dest': 'document',
      'content-type': type,
      origin: site === 'same-origin' ? 'null' : 'http://127.0.0.1:1',
    })),
  ),
  // A header by which some frameworks replace the method of the request.
  { ...OWN_PAGE, 'x-http-method-override': 'GET' },
];

const changing = operations.filter(({ method }) => method !== 'GET');
const isDone = (status: string): boolean => status.startsWith('2');

describeScoped('requests that no page of the portal sends', (begin) => {
  const world = begin(startWorld);
  const browsers = new Map<Person, PortalBrowser>();

  beforeAll(async () => {
    for (const person of ['admin', 'alice'] as const)
      browsers.set(person, await signInAtPortal(world.gateway, person));
  });

  const signedIn = (person: Person): PortalBrowser => {
    const browser = browsers.get(person);
    if (browser === undefined) throw new Error(`${person} is not signed in`);
    return browser;
  };
  const state = () => keptState(world.gateway);
  const settled = () => settledState(world.gateway);

  /**
   * Returns a world whose `send` runs `first`, and then sends the operation's request from the person's
   * browser.
   */
  const byBrowser = (first: (send: (headers: Headers) => Promise<Answer>) => Promise<void>): World => ({
    ...world,
    send: async (operation, request = {}) => {
      const { cookie } = signedIn(request.person ?? 'admin');
      const send = (headers: Headers): Promise<Answer> =>
        world.send(operation, {
          ...request,
          person: null,
          headers: { ...request.headers, cookie, ...headers },
        });
      await first(send);
      return send(OWN_CHANGE);
    },
  });
  const doneBy = async (operation: Operation, on: World): Promise<Answer> => {
    for (const status of operation.statuses.filter(isDone)) {
      const done = caseFor(operation, status);
      if (done !== undefined) return done(on, operation);
    }
    throw new Error(`nothing is known that does ${operation.id}`);
  };

  // promises: PORTAL-2
  it.each(changing)('are refused by $id, and change nothing', async (operation) => {
    // In `npm test`, each operation is tested with some of the forged requests, so that in turn all are used.
    const tried = turnOf(forged, changing.indexOf(operation), 12);
    const accepted: unknown[] = [];
    let sent = 0;
    let before: Record<string, string> = {};
    const attacked = byBrowser(async (send) => {
      before = await settled();
      const answers = await Promise.all(
        tried.map(async (headers) => ({ headers, status: (await send(headers)).status })),
      );
      sent = answers.length;
      accepted.push(...answers.filter(({ status }) => status !== 401));
      expect(await state()).toEqual(before);
    });
    const { status } = await doneBy(operation, attacked);
    expect({ accepted, sent }).toEqual({ accepted: [], sent: tried.length });
    // If a page of the portal sends the request, it is accepted and leaves an audit line. If a forged request
    // had been accepted, it would have left an audit line as well.
    expect([operation.id, String(status)]).toEqual([operation.id, expect.stringMatching(/^2/)]);
    // The audit line of a request that changed nothing is written after its answer.
    await eventually(`a trace of ${operation.id}`, async () => !isDeepStrictEqual(await state(), before));
    if (operation.id === 'endPortalSession')
      browsers.set('admin', await signInAtPortal(world.gateway, 'admin'));
  });

  // promises: PORTAL-2
  it('of a stale tab are refused, after the sign-in ended', async () => {
    const browser = await signInAtPortal(world.gateway, 'admin');
    expect((await browser.call('DELETE', '/portal-session')).status).toBe(204);
    const before = await settled();
    const answers = await Promise.all(
      changing
        .filter(({ id }) => id !== 'endPortalSession')
        .map(async (operation) =>
          world.send(operation, {
            person: null,
            id: 'orders',
            body: world.body(operation.id, 'orders'),
            headers: { cookie: browser.cookie, ...OWN_CHANGE },
          }),
        ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]));
    expect(await state()).toEqual(before);
  });

  // promises: PORTAL-2
  it('read nothing either', async () => {
    const { cookie } = signedIn('admin');
    const reads = operations.filter(({ method }) => method === 'GET');
    const open = new Set<string>();
    for (const [index, operation] of reads.entries())
      for (const site of turnOf([undefined, 'cross-site', 'same-site', '', 'Same-Origin'], index, 2)) {
        const headers = { cookie, ...(site === undefined ? {} : { 'sec-fetch-site': site }) };
        const { status } = await world.send(operation, { person: null, id: 'orders', headers });
        if (status !== 401) open.add(operation.id);
      }
    // Only these operations need no sign-in.
    expect([...open].sort()).toEqual([
      'callback',
      'downloadSession',
      'getHealth',
      'getPublicServerInfo',
      'getReadiness',
      'getSshUserCa',
      'listEvidenceKeys',
      'listSshHostKeys',
      'login',
    ]);
  });

  // promises: PORTAL-2
  it('are allowed by no answer to the question of a browser whether it may send them', async () => {
    const allowed: unknown[] = [];
    const origins = ['https://evil.example.com', 'http://127.0.0.1:1', 'http://localhost:3000', 'null'];
    for (const [index, operation] of operations.entries())
      for (const origin of turnOf(origins, index, 1)) {
        const { headers } = await world.gateway.call(
          null,
          'OPTIONS',
          operation.path.replaceAll(/[{}]/g, ''),
          undefined,
          {
            origin,
            'access-control-request-method': operation.method,
            'access-control-request-headers': 'x-gateway-portal,content-type',
          },
        );
        const names = [...headers.keys()].filter((name) =>
          /^access-control-allow-(origin|credentials|headers)$/.test(name),
        );
        if (names.length > 0) allowed.push([operation.id, origin, names]);
      }
    expect(allowed).toEqual([]);
  });

  // promises: PORTAL-2
  it('of the portal are no sign-in for MCP clients', async () => {
    const { cookie } = signedIn('admin');
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
    const types = { accept: 'application/json, text/event-stream' };
    for (const path of ['/mcp', '/mcp/orders'])
      for (const method of ['GET', 'POST', 'DELETE']) {
        const body = method === 'POST' ? call : undefined;
        const answer = await world.gateway.call(null, method, path, body, {
          cookie,
          ...types,
          ...OWN_CHANGE,
        });
        expect([path, method, answer.status]).toEqual([path, method, 401]);
      }
  });
});
