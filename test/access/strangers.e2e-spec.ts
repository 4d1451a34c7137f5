import { watchQueries } from '../support/caused-queries';
import { describeDataPath } from '../support/describe';
import { createRule } from '../support/guardrails';
import { controllerRoutes } from '../support/routes';
import { Visitor } from '../support/visitor';

/** Two names of the same length, so that answers that quote them have the same size. */
const HIDDEN = 'payroll-db';
const UNKNOWN = 'nothere-db';
const UNKNOWN_ID = '0192aaaa-0000-4000-8000-000000000000';

const SETTINGS = { environment: { POSTGRES_PROXY_HOST: '127.0.0.1' } };

/** A hidden connection and a missing one get the same answers, except for the name in the request. */
describeDataPath('a connection that one may not open is one that does not exist', SETTINGS, ({ path }) => {
  let hiddenId: string;
  let others: Record<string, string>;

  beforeAll(async () => {
    const { gateway } = path;
    await gateway.call('admin', 'PATCH', '/organization', { features: { access_control: true } });
    hiddenId = await path.connect(HIDDEN, {
      access_groups: ['dba'],
      attributes: ['salaries'],
      connection_tags: { owner: 'hr' },
      description: 'salaries of all',
    });
    await path.connect('closed-too', {
      access_groups: ['dba'],
      access_mode_exec: 'disabled',
      access_mode_connect: 'disabled',
    });
    const rule = {
      name: 'asks',
      access_type: 'jit_command',
      reviewers_groups: ['dba'],
      min_approvals: 1,
      connection_names: [HIDDEN],
    };
    await gateway.call('admin', 'POST', '/access-requests/rules', rule);
    const guardrail = await createRule(gateway, { name: 'watches', attributes: ['salaries'] });
    // Bob is in the connection's access group and requests access. Alice is the stranger.
    const asked = (await path.run('SELECT 1', { connection: HIDDEN }, 'bob')).body;
    const credential = (await gateway.call('bob', 'POST', `/connections/${HIDDEN}/credentials`, {})).body;
    const { body: me } = await gateway.call('bob', 'GET', '/userinfo');
    expect(credential.review_id).toEqual(expect.any(String));
    others = {
      guardrail,
      session: asked.session_id,
      review: asked.review_id,
      credential: credential.id,
      user: me.id,
    };
  });

  /**
   * Returns the parts of an answer by which a stranger could distinguish a hidden object from a missing one.
   */
  const seen = async (method: string, to: string, body?: object) => {
    const answer = await path.gateway.call('alice', method, to, body);
    const headers = [...answer.headers.entries()].filter(
      ([name]) => !['date', 'x-request-id', 'etag'].includes(name),
    );
    const hide = (text: string): string =>
      [HIDDEN, UNKNOWN, hiddenId, UNKNOWN_ID, ...Object.values(others)].reduce(
        (all, name) => all.replaceAll(name, '…'),
        text,
      );
    return { status: answer.status, headers, text: hide(answer.text) };
  };

  /** Returns pairs of paths of a route: one with the ids of the hidden object, one with unknown ids. */
  const fillings = (route: string): [string, string][] => {
    const real: Record<string, string | undefined> = {
      nameOrID: HIDDEN,
      session_id: others['session'],
      deliveryId: UNKNOWN_ID,
      name: route.includes('/attributes') ? 'salaries' : 'asks',
      id: route.includes('credentials')
        ? others['credential']
        : route.includes('/reviews')
          ? others['review']
          : route.includes('/users')
            ? others['user']
            : others['guardrail'],
    };
    const fill = (values: (name: string) => string): string =>
      route.replaceAll(/:(\w+)/g, (_, name: string) => values(name));
    const unknown = (name: string): string =>
      name === 'nameOrID' ? UNKNOWN : name === 'name' ? 'no-such' : UNKNOWN_ID;
    const hidden = fill((name) => real[name] ?? UNKNOWN_ID);
    return [
      [hidden, fill(unknown)],
      [hidden.replace(HIDDEN, hiddenId), fill(unknown).replace(UNKNOWN, UNKNOWN_ID)],
    ];
  };

  // promises: WHO-5
  it('on every route, by name and by id', async () => {
    const routes = controllerRoutes(path.gateway.app).filter(
      ({ path: to, policy }) => to.includes(':') && policy !== 'public',
    );
    expect(routes.length).toBeGreaterThan(30);
    for (const { method, path: to, takesBody } of routes)
      for (const [hidden, unknown] of fillings(to)) {
        const body = takesBody ? bodyFor(to) : undefined;
        const route = `${method} ${to}`;
        const answer = await seen(method, hidden, body);
        expect([route, answer]).toEqual([route, await seen(method, unknown, body)]);
        expect([route, answer.status]).toEqual([route, answer.status === 403 ? 403 : 404]);
      }
  });

  it.each([
    {},
    { reason: 'x' },
    { env_vars: { a: 'b' } },
    { metadata: { a: 1 } },
    { session_batch_id: 'x'.repeat(200) },
  ])('when a script is run there, with %j', async (more) => {
    const run = (connection: string) =>
      seen('POST', '/sessions', { connection, script: 'SELECT 1', ...more });
    expect(await run(HIDDEN)).toEqual(await run(UNKNOWN));
    expect(await run('closed-too')).toMatchObject({ status: (await run(UNKNOWN)).status });
    expect((await seen('GET', '/sessions')).text).not.toContain('payroll');
  });

  it.each([{}, { access_duration_seconds: 172_800 }, { access_duration_seconds: 1 }])(
    'when credentials are asked for with %j',
    async (body) => {
      const ask = (connection: string) => seen('POST', `/connections/${connection}/credentials`, body);
      expect(await ask(HIDDEN)).toEqual(await ask(UNKNOWN));
      expect(await ask('closed-too')).toEqual(await ask(UNKNOWN));
    },
  );

  it.each([
    ['/connections?search=', 'payroll', 'nothere'],
    ['/connections?search=', 'salaries', 'nothing'],
    ['/connections?attribute=', 'salaries', 'nothing'],
    ['/connections?tag_selector=', 'owner=hr', 'owner=me'],
    ['/connections?page_size=1&page=', '1', '2'],
    ['/sessions?connection=', HIDDEN, UNKNOWN],
    ['/sessions?guardrail=', 'watches', 'nothing'],
    ['/sessions?user=', 'bob@example.com', 'nobody@example.com'],
    ['/reviews?status=', 'PENDING', 'REJECTED'],
  ])('in the list %s%s', async (to, known, unknown) => {
    const [hidden, none] = [await seen('GET', `${to}${known}`), await seen('GET', `${to}${unknown}`)];
    expect(hidden.status).toBe(none.status);
    const said = (text: string): string =>
      text
        .replaceAll(/"page":\d+/g, '')
        .replaceAll(known, '…')
        .replaceAll(unknown, '…');
    expect(said(hidden.text)).toBe(said(none.text));
  });

  // promises: WHO-5
  it('on the wire, with one’s own token', async () => {
    const password = await path.gateway.token('alice');
    const come = async (connection: string): Promise<string> =>
      (await Visitor.refused(path, { user: 'me', password, connection })).replace(connection, '…');
    expect(await come(HIDDEN)).toBe('FATAL 3D000: there is no connection named …');
    for (const connection of [UNKNOWN, hiddenId, UNKNOWN_ID, 'closed-too'])
      expect(await come(connection)).toBe(await come(HIDDEN));
  });

  it('and costs the same database queries', async () => {
    const queries = watchQueries(path.gateway);
    const ask = (name: string) => path.gateway.call('alice', 'GET', `/connections/${name}`);
    try {
      // The first request fills the caches of people and of the organization, so it is not counted.
      await queries.during(() => ask(UNKNOWN));
      const unknown = await queries.during(() => ask(UNKNOWN));
      expect(unknown.length).toBeGreaterThan(0);
      expect(await queries.during(() => ask(HIDDEN))).toEqual(unknown);
    } finally {
      queries.stop();
    }
  });

  it('is in the audit log: who tried to open what', async () => {
    const { body } = await path.gateway.call(
      'admin',
      'GET',
      '/audit/logs?resource_type=connections&outcome=failed&actor=alice',
    );
    const asked = body.data.map((line: { resource_id: string }) => line.resource_id);
    expect(asked).toEqual(expect.arrayContaining([HIDDEN, UNKNOWN]));
  });

  it('auditors and admins see all, and people in its groups open it', async () => {
    for (const person of ['admin', 'auditor', 'bob'] as const)
      expect((await path.gateway.call(person, 'GET', `/connections/${HIDDEN}`)).status).toBe(200);
    expect((await path.gateway.call('auditor', 'GET', '/connections?search=payroll')).body.pages.total).toBe(
      1,
    );
    expect((await path.run('SELECT 1', { connection: HIDDEN }, 'bob')).status).toBe(202);
  });
});

/** A body that passes all checks that the route makes before it looks up the object. */
function bodyFor(route: string): object {
  if (route.endsWith('/sign-off')) return { comment: 'seen' };
  if (route.endsWith('/emergency')) return { reason: 'urgent' };
  if (route.endsWith('/review') || route.startsWith('/reviews')) return { status: 'APPROVED' };
  if (route.endsWith('/metadata')) return { metadata: {} };
  if (route.endsWith('/script-check')) return { script: 'SELECT 1' };
  if (route.endsWith('/download-links')) return { extension: 'csv' };
  return {};
}
