import type { Policy } from '../../src/platform/http/routes/access';
import { describeGateway } from '../support/describe';
import type { Person } from '../support/gateway';
import { briefly } from '../support/operations';
import { type Route, controllerRoutes, routerRoutes } from '../support/routes';

/** Policies by route, as in the contract ("Who may do what"). If a route is missing, the first test fails. */
const EXPECTED: Record<string, Policy | 'public'> = {
  'GET /login': 'public',
  'GET /callback': 'public',
  'GET /publicserverinfo': 'public',
  'GET /healthz': 'public',
  'GET /evidence-keys': 'public',
  'GET /readyz': 'public',
  'DELETE /portal-session': 'public',
  'GET /userinfo': 'signed-in',
  'GET /serverinfo': 'signed-in',
  'GET /mcp-catalog': 'signed-in',
  'GET /connection-kinds': 'signed-in',
  'GET /connections': 'signed-in',
  'POST /connections': 'admin',
  'GET /connections/:nameOrID': 'signed-in',
  'PUT /connections/:nameOrID': 'admin',
  'PATCH /connections/:nameOrID': 'admin',
  'DELETE /connections/:nameOrID': 'admin',
  'GET /connections/:nameOrID/test': 'admin',
  'GET /connections/:nameOrID/tables': 'operator',
  'GET /connections/:nameOrID/effective-policy': 'signed-in',
  'POST /connections/:nameOrID/script-check': 'operator',
  'GET /connections/:nameOrID/mcp-tools': 'auditor',
  'GET /connections/:nameOrID/mcp-tools/:tool': 'auditor',
  'POST /connections/:nameOrID/mcp-tools/:tool/accept': 'admin',
  'POST /connections/:nameOrID/mcp-connect': 'operator',
  'DELETE /connections/:nameOrID/mcp-connect': 'operator',
  'POST /connections/:nameOrID/credentials': 'operator',
  'POST /connections/:nameOrID/credentials/:id/revoke': 'operator',
  'GET /connection-credentials': 'signed-in',
  'GET /mcp-authorizations': 'signed-in',
  'DELETE /mcp-authorizations/:id': 'operator',
  'GET /ssh-public-keys': 'signed-in',
  'GET /ssh-public-keys/:id': 'signed-in',
  'POST /ssh-public-keys': 'operator',
  'DELETE /ssh-public-keys/:id': 'operator',
  'GET /guardrails': 'auditor',
  'POST /guardrails': 'admin',
  'GET /guardrails/:id': 'auditor',
  'GET /guardrails/:id/stats': 'auditor',
  'PUT /guardrails/:id': 'admin',
  'DELETE /guardrails/:id': 'admin',
  'POST /guardrails/dry-run': 'auditor',
  'GET /access-requests/rules': 'auditor',
  'POST /access-requests/rules': 'admin',
  'GET /access-requests/rules/:name': 'auditor',
  'PUT /access-requests/rules/:name': 'admin',
  'DELETE /access-requests/rules/:name': 'admin',
  'GET /attributes': 'auditor',
  'POST /attributes': 'admin',
  'GET /attributes/:name': 'auditor',
  'PUT /attributes/:name': 'admin',
  'DELETE /attributes/:name': 'admin',
  'GET /users': 'auditor',
  'POST /users': 'admin',
  'GET /users/:id': 'auditor',
  'PATCH /users/:id': 'admin',
  'DELETE /users/:id': 'admin',
  'GET /groups': 'auditor',
  'GET /groups/:name': 'auditor',
  'POST /groups': 'admin',
  'DELETE /groups/:name': 'admin',
  'GET /api-keys': 'admin',
  'POST /api-keys': 'admin',
  'GET /api-keys/:id': 'admin',
  'DELETE /api-keys/:id': 'admin',
  'GET /scim-tokens': 'admin',
  'POST /scim-tokens': 'admin',
  'GET /scim-tokens/:id': 'admin',
  'DELETE /scim-tokens/:id': 'admin',
  'GET /organization': 'auditor',
  'PATCH /organization': 'admin',
  'GET /audit/logs': 'admin',
  'GET /audit/verify': 'admin',
  'GET /sessions': 'signed-in',
  'POST /sessions': 'operator',
  'GET /sessions/:session_id': 'signed-in',
  'POST /sessions/:session_id/exec': 'operator',
  'GET /sessions/:session_id/verify': 'signed-in',
  'GET /sessions/verify': 'auditor',
  'GET /ssh-host-keys': 'public',
  'GET /ssh/user-ca.pub': 'public',
  'GET /sessions/:session_id/mcp-calls': 'signed-in',
  'GET /sessions/:session_id/stream': 'signed-in',
  'POST /sessions/:session_id/kill': 'operator',
  'PUT /sessions/:session_id/review': 'operator',
  'GET /reviews': 'signed-in',
  'GET /reviews/stream': 'signed-in',
  'GET /reviews/:id': 'signed-in',
  'GET /reviews/:id/context': 'signed-in',
  'PUT /reviews/:id': 'operator',
  'POST /reviews/:id/emergency': 'operator',
  'POST /reviews/:id/sign-off': 'operator',
  'PATCH /sessions/:session_id/metadata': 'operator',
  'PUT /sessions/:session_id/hold': 'admin',
  'POST /sessions/:session_id/download-links': 'signed-in',
  'GET /sessions/:session_id/download': 'public',
  'GET /retention': 'auditor',
  'POST /retention/runs': 'admin',
  'GET /webhooks': 'admin',
  'POST /webhooks': 'admin',
  'GET /webhooks/:id': 'admin',
  'PUT /webhooks/:id': 'admin',
  'DELETE /webhooks/:id': 'admin',
  'POST /webhooks/:id/rotate-secret': 'admin',
  'GET /webhooks/:id/deliveries': 'admin',
  'POST /webhooks/:id/deliveries/:deliveryId/replay': 'admin',
  'POST /webhooks/:id/test': 'admin',
};

/**
 * MCP endpoints accept every method and identify callers themselves (test/mcp/visits, test/mcp/own-tools).
 */
const MCP = / \/mcp(\/:connection)?$/;
/** The API description and its UI, which have no controller and are public. */
const DOCUMENTATION = /^GET \/(docs(\/.*)?|openapi\.(json|yaml))$/;

const passes: Record<Policy | 'public', Record<Person | 'none' | 'inactive', boolean>> = {
  public: { none: true, alice: true, auditor: true, admin: true, bob: true, inactive: true },
  'signed-in': { none: false, alice: true, auditor: true, admin: true, bob: true, inactive: false },
  operator: { none: false, alice: true, auditor: false, admin: true, bob: true, inactive: false },
  auditor: { none: false, alice: false, auditor: true, admin: true, bob: false, inactive: false },
  admin: { none: false, alice: false, auditor: false, admin: true, bob: false, inactive: false },
};

describeGateway('every route, for everyone', ({ gateway }) => {
  let routes: Route[];

  beforeAll(async () => {
    routes = controllerRoutes(gateway.app);
    // Bob is known to the gateway, and then set inactive.
    await gateway.call('bob', 'GET', '/userinfo');
    await gateway.database.query(`UPDATE users SET status = 'inactive' WHERE subject = 'bob'`);
  });

  // promises: WHO-1
  it('states its rule, and the rule is the contract’s', () => {
    expect(
      Object.fromEntries(routes.map(({ method, path, policy }) => [`${method} ${path}`, policy])),
    ).toEqual(EXPECTED);
  });

  it('is a route of a controller, or documentation', () => {
    const served = routerRoutes(gateway.app, '/api').filter(
      (route) => !DOCUMENTATION.test(route) && !MCP.test(route),
    );
    expect(served.sort()).toEqual(Object.keys(EXPECTED).sort());
  });

  it('is described in the API document', async () => {
    const { paths } = (await gateway.call(null, 'GET', '/openapi.json')).body;
    const described = Object.entries<object>(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`),
    );
    expect(described.sort()).toEqual(Object.keys(EXPECTED).sort());
  });

  // promises: POLICY-2, WHO-1
  it('effective policies are about others for auditors and admins alone', async () => {
    const create = (name: string, access_groups: string[]) =>
      gateway.call('admin', 'POST', '/connections', {
        name,
        type: 'database',
        subtype: 'postgres',
        secret: { HOST: 'db.internal', USER: 'u', PASS: 'p', DB: 'd' },
        access_groups,
      });
    await gateway.call('admin', 'PATCH', '/organization', { features: { access_control: true } });
    for (const [name, groups] of [
      ['policy-open', ['*']],
      ['policy-closed', ['dba']],
    ] as const)
      expect((await create(name, [...groups])).status).toBe(201);
    const ask = async (person: Person, connection: string, query: string) => {
      const { status, body } = await gateway.call(
        person,
        'GET',
        `/connections/${connection}/effective-policy${query}`,
      );
      return [
        status,
        status === 200 ? [body.user, body.outcome, body.reasons[0].code] : body.message,
      ] as const;
    };
    const others = 'only auditors and admins may ask about others; leave out "user"';
    for (const connection of ['policy-open', 'policy-closed', 'of-nobody'])
      for (const user of ['bob', 'bob@example.com', 'admin', 'nobody', 'ALICE', 'alice%20', '%EF%BD%81lice'])
        expect([connection, user, await ask('alice', connection, `?user=${user}`)]).toEqual([
          connection,
          user,
          [403, others],
        ]);
    for (const query of ['', '?user=alice', '?user=alice@example.com', '?verb=connect']) {
      expect(await ask('alice', 'policy-open', query)).toEqual([200, ['alice', 'open', 'no_rule_applies']]);
      for (const connection of ['policy-closed', 'of-nobody'])
        expect(await ask('alice', connection, query)).toEqual([404, 'there is no such connection']);
    }
    for (const person of ['auditor', 'admin'] as const) {
      expect(await ask(person, 'policy-closed', '?user=alice')).toEqual([
        200,
        ['alice', 'refused', 'not_in_access_groups'],
      ]);
      expect((await ask(person, 'policy-closed', ''))[1][0]).toBe(person);
    }
  });

  const everyone = ['none', 'alice', 'auditor', 'admin', 'inactive'] as const;

  // promises: WHO-1, AUTH-10, AUTH-11
  it.each(Object.entries(EXPECTED))('%s is open to whom its rule names', async (route, policy) => {
    const [method = '', path = ''] = route.split(' ');
    const wrong: unknown[] = [];
    for (const who of everyone) {
      const person = who === 'none' ? null : who === 'inactive' ? 'bob' : who;
      const answer = await gateway.call(
        person,
        method,
        `${path.replaceAll(/:\w+/g, '00000000-0000-4000-8000-000000000000')}${briefly(path)}`,
        ['POST', 'PUT', 'PATCH'].includes(method) ? {} : undefined,
      );
      const refused = who === 'none' || who === 'inactive' ? 401 : 403;
      const isRight = passes[policy][who]
        ? ![401, 403, 500].includes(answer.status)
        : answer.status === refused;
      if (!isRight) wrong.push([who, answer.status, answer.text]);
      if (answer.status >= 400) expect([who, answer.body]).toEqual([who, { message: expect.any(String) }]);
    }
    expect(wrong).toEqual([]);
  });
});
