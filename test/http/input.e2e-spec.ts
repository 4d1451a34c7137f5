import { describeGateway } from '../support/describe';
import type { Person } from '../support/gateway';
import { type Route, controllerRoutes } from '../support/routes';

const NOBODY = '00000000-0000-4000-8000-000000000000';
const LONG = 'x'.repeat(10_000);

/** A valid body for each kind of resource that clients can create, by its path. */
const sound: Record<string, Record<string, unknown>> = {
  '/guardrails': { name: 'g', input: { rules: [] }, attributes: [], connection_ids: [] },
  '/access-requests/rules': {
    name: 'rule',
    access_type: 'jit',
    reviewers_groups: ['dba'],
    min_approvals: 1,
    connection_names: ['c'],
  },
  '/connections': {
    name: 'connection',
    type: 'database',
    subtype: 'postgres',
    secret: { HOST: 'h', USER: 'u', DB: 'd' },
    description: 'd',
  },
  '/attributes': { name: 'attribute', description: 'd' },
  '/users': { id: 'carol', email: 'carol@example.com', name: 'Carol', status: 'active', groups: [] },
  '/groups': { name: 'group', description: 'd' },
  '/api-keys': { name: 'key', groups: [], expires_at: null },
  '/scim-tokens': { name: 'token', expires_at: null },
};

/** Values that a client must not set. Each is sent to the resources whose answers have its field. */
const forged: Record<string, unknown> = {
  id: NOBODY,
  org_id: NOBODY,
  user_id: NOBODY,
  managed_by: 'mallory',
  status: 'revoked',
  created_by: 'mallory',
  created_at: '2001-01-01T00:00:00Z',
  updated_at: '2001-01-01T00:00:00Z',
  revoked_at: '2001-01-01T00:00:00Z',
  masked_key: 'gwk_mine',
  key: 'gwk_mine',
  role: 'admin',
  idp_groups: ['admin'],
  members: 99,
  warnings: ['mine'],
};

/** Fields of users that a client may set although their names are in `forged`. */
const SETTABLE = new Set(['/users id', '/users status']);

describeGateway('what clients send, on every route', ({ gateway }) => {
  let routes: Route[];

  beforeAll(async () => {
    routes = controllerRoutes(gateway.app);
  });

  const as = (person: Person, method: string, path: string, body?: unknown) =>
    gateway.call(person, method, path, body);
  const admin = (method: string, path: string, body?: unknown) => as('admin', method, path, body);
  const total = async (path: string): Promise<number> =>
    (await admin('GET', `${path}?page_size=1`)).body.pages.total;
  /** The path at which a created resource is read. */
  const placeOf = (path: string, body: { id: string; name: string }) =>
    `${path}/${['/guardrails', '/api-keys', '/scim-tokens', '/users'].includes(path) ? body.id : body.name}`;

  it('lists bound their page', async () => {
    const lists = routes.filter(
      ({ method, path }) => method === 'GET' && (path in sound || path === '/audit/logs'),
    );
    expect(lists).toHaveLength(9);
    for (const { path } of lists) {
      for (const query of [
        'page=0',
        'page=-1',
        'page=1.5',
        'page=x',
        'page=1000001',
        'page=1e3',
        'page=',
        'page=1&page=2',
        'page_size=1001',
        'page_size=-1',
        'page_size=1000000000',
        'page_size=99999999999999999999',
        'page[]=1',
        'page_size=0x10',
        'offset=1',
        'size=1',
      ]) {
        const answer = await admin('GET', `${path}?${query}`);
        expect([path, query, answer.status, answer.body]).toEqual([
          path,
          query,
          400,
          { message: expect.any(String) },
        ]);
      }
      const { body } = await admin('GET', `${path}?page=1000000&page_size=0`);
      expect([path, body]).toEqual([
        path,
        { data: [], pages: { page: 1_000_000, size: 1000, total: expect.any(Number) } },
      ]);
    }
  });

  it.each([
    'search',
    'type',
    'subtype',
    'attribute',
    'tag_selector',
    'actor',
    'request_id',
    'user',
    'colour',
  ])('a query with NUL in %s is 400', async (name) => {
    for (const path of ['/connections', '/users', '/audit/logs', '/connections/orders/effective-policy']) {
      expect([400, 404]).toContain((await admin('GET', `${path}?${name}=a%00b`)).status);
    }
  });

  it('names that no resource has are 404, with whatever bytes', async () => {
    for (const { method, path } of routes.filter(
      (route) => /:(name|nameOrID)$/.test(route.path) || route.path === '/users/:id',
    )) {
      for (const name of ['a%00b', '%F0%9F%92%A9', LONG, '..%2F..', "'%20OR%201=1--", '%25', 'undefined']) {
        const answer = await admin(method, path.replace(/:\w+/, name), method === 'PATCH' ? {} : undefined);
        // A PUT without a body fails with 400 before its name is read.
        // A name with NUL may fail with 400, too.
        expect([
          method,
          path,
          name.slice(0, 20),
          method === 'PUT' || name === 'a%00b' ? [400, 404] : [404],
        ]).toEqual([method, path, name.slice(0, 20), expect.arrayContaining([answer.status])]);
      }
    }
  });

  // promises: HTTP-3, HTTP-4
  it.each(Object.keys(sound))(
    'POST %s: wrong types are 400, too long is 422, unknown fields are 400',
    async (path) => {
      const before = await total(path);
      for (const [field, value] of Object.entries(sound[path]!)) {
        for (const wrong of [7, true, { a: 1 }, [[1]], 'text'].filter(
          (w) => typeof w !== typeof value || Array.isArray(w) !== Array.isArray(value),
        )) {
          if (value === null && wrong === 'text') continue;
          const answer = await admin('POST', path, { ...sound[path], [field]: wrong });
          expect([field, wrong, answer.status, answer.body]).toEqual([
            field,
            wrong,
            expect.any(Number),
            { message: expect.stringContaining(field) },
          ]);
        }
        if (typeof value !== 'string') continue;
        const answer = await admin('POST', path, { ...sound[path], [field]: LONG });
        expect([field, answer.status]).toEqual([field, 422]);
        const nul = await admin('POST', path, { ...sound[path], [field]: 'a\0b' });
        expect([field, nul.status]).toEqual([field, 422]);
      }
      for (const name of ['unknown', 'isAdmin', 'version', 'secret_names', 'key_hash', 'prefix']) {
        const answer = await admin('POST', path, { ...sound[path], [name]: 1 });
        expect([name, answer.status]).toEqual([name, 400]);
      }
      for (const poison of ['__proto__', 'constructor', 'prototype']) {
        const raw = `${JSON.stringify(sound[path]).slice(0, -1)},"${poison}":{"orgId":"${NOBODY}","role":"admin"}}`;
        const answer = await admin('POST', path, raw);
        expect([poison, answer.status]).toEqual([poison, 400]);
      }
      expect(await total(path)).toBe(before);
    },
  );

  // promises: HTTP-3
  it.each(Object.keys(sound))(
    'POST and change %s: fields a client may not set change nothing',
    async (path) => {
      const plain = await admin('POST', path, sound[path]);
      expect([path, plain.status]).toEqual([path, 201]);
      const shown = Object.keys(plain.body).filter(
        (field) => field in forged && !SETTABLE.has(`${path} ${field}`),
      );
      const lies = Object.fromEntries(shown.map((field) => [field, forged[field]]));
      const another = path === '/users' ? { id: 'dave' } : { name: 'another', connection_names: ['another'] };
      const { connection_names, ...others } = { connection_names: undefined, ...another };
      const body = {
        ...sound[path],
        ...others,
        ...(path === '/access-requests/rules' ? { connection_names } : {}),
      };
      const forgedAnswer = await admin('POST', path, { ...body, ...lies });
      expect([path, forgedAnswer.status]).toEqual([path, 201]);
      const untrue = (field: string): unknown => (forgedAnswer.body as Record<string, unknown>)[field];
      for (const field of shown) expect([field, untrue(field)]).not.toEqual([field, forged[field]]);

      const place = placeOf(path, plain.body);
      const method = routes.find(
        (route) => /PUT|PATCH/.test(route.method) && route.path.startsWith(`${path}/:`),
      )?.method;
      if (method === undefined) return;
      const read = (await admin('GET', place)).body;
      const changed = await admin(method, place, { ...read, ...lies });
      expect([path, changed.status]).toEqual([path, 200]);
      // Does not compare `updated_at` and `warnings`, because they describe the change.
      const apart = { updated_at: 0, warnings: [] };
      expect({ ...changed.body, ...apart }).toEqual({ ...read, ...apart });
      const garbage = await admin(method, place, { ...read, unknown: 1 });
      expect([path, garbage.status]).toEqual([path, 400]);
      expect((await admin('GET', place)).body.updated_at).toBe(changed.body.updated_at);
    },
  );
});
