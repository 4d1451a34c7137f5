import { PostgresProxySettings } from '../../src/platform/config/groups';
import { dump, spellings } from '../support/canary';
import { aged, ask, find, issue, revoke } from '../support/credentials';
import { startDataPath } from '../support/data-path';
import { describeScoped, stay } from '../support/describe';
import { eventually } from '../support/eventually';
import { type Answer, freePort, startGateway } from '../support/gateway';
import { captureLog } from '../support/log';
import { secretOf } from '../support/target';

const NOBODY = '00000000-0000-4000-8000-000000000000';
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;
const NO_CREDENTIAL = { message: 'there is no credential with this id' };

/** Credentials for PostgreSQL clients, requested by people and by machines. */
describeScoped('credentials for a connection', (begin) => {
  const log = begin(captureLog, (captured) => captured.restore());
  const path = begin(() => startDataPath({ LOG_LEVEL: 'trace' }));
  const gateway = begin(() => path.gateway, stay);

  beforeAll(async () => {
    await gateway.call('admin', 'POST', '/connections', {
      name: 'tools',
      type: 'application',
      subtype: 'mcpproxy',
      secret: { REMOTE_URL: 'https://mcp.example.com/' },
    });
  });

  /** Name of the database at the target. */
  const databaseName = () => secretOf(path.target)['DB'];
  const issued = async (
    ...args: [caller?: Parameters<typeof issue>[1], body?: object, connection?: string]
  ) => (await issue(gateway, ...args)).body;
  const seconds = ({ created_at, expire_at }: { created_at: string; expire_at: string }) =>
    Math.round((Date.parse(expire_at) - Date.parse(created_at)) / 1000);
  const auditOf = async (id: string) => {
    const { body } = await gateway.call('admin', 'GET', '/audit/logs?resource_type=connection-credentials');
    return body.data.filter((line: { resource_id: string }) => line.resource_id === id);
  };

  // promises: CREDENTIAL-1
  it('contain everything a client needs, and are not cached', async () => {
    const answer = await issue(gateway, 'alice', { access_duration_seconds: 28_800 });
    const { port } = gateway.app.get(PostgresProxySettings);
    const { id, connection_credentials: client } = answer.body;
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([201, 'no-store']);
    expect(answer.body).toEqual({
      id: expect.stringMatching(UUID),
      connection_name: 'orders',
      connection_type: 'database',
      connection_subtype: 'postgres',
      session_id: null,
      has_review: false,
      review_id: null,
      expire_at: expect.stringMatching(/Z$/),
      reason: null,
      created_at: expect.stringMatching(/Z$/),
      connection_credentials: {
        hostname: '127.0.0.1',
        port,
        username: id,
        password: expect.stringMatching(/^[\w-]{43}$/),
        database_name: databaseName(),
        connection_string: `postgres://${id}:${client.password}@127.0.0.1:${port}/${databaseName()}?sslmode=disable`,
      },
    });
    expect(seconds(answer.body)).toBe(28_800);
    expect(Math.abs(Date.parse(answer.body.created_at) - Date.now())).toBeLessThan(60_000);
  });

  it('are found by their id, with the password’s verifier and their owner', async () => {
    const { id, expire_at } = await issued('alice');
    expect(await find(gateway, id)).toEqual({
      id,
      principal: expect.objectContaining({ subject: 'alice', identityType: 'user', role: 'regular' }),
      connectionId: path.connectionId,
      connectionName: 'orders',
      databaseName: databaseName(),
      verifier: {
        iterations: 4096,
        salt: expect.any(Buffer),
        storedKey: expect.any(Buffer),
        serverKey: expect.any(Buffer),
      },
      expiresAt: new Date(expire_at),
      reason: null,
    });
    expect(await find(gateway, id.toUpperCase())).toMatchObject({ id });
    for (const unknown of [NOBODY, '', 'orders', `${id}0`, `{${id}}`, id.replaceAll('-', '')])
      expect([unknown, await find(gateway, unknown)]).toEqual([unknown, undefined]);
  });

  it('are for the connection of that name or id, and unique', async () => {
    const [one, other] = [await issued('alice'), await issued('alice', {}, path.connectionId)];
    expect(other.connection_name).toBe('orders');
    expect(other.id).not.toBe(one.id);
    expect(other.connection_credentials.password).not.toBe(one.connection_credentials.password);
  });

  // promises: CREDENTIAL-2
  it.each([
    [{}, 3_600],
    [{ access_duration_seconds: null }, 3_600],
    [{ access_duration_seconds: 60 }, 60],
    [{ access_duration_seconds: 172_800 }, 172_800],
  ])('asked for with %j, last %i seconds', async (body, expected) => {
    expect(seconds(await issued('alice', body))).toBe(expected);
  });

  // promises: CREDENTIAL-2
  it.each([
    [422, { access_duration_seconds: 59 }],
    [422, { access_duration_seconds: 0 }],
    [422, { access_duration_seconds: -3_600 }],
    [422, { access_duration_seconds: 172_801 }],
    [422, { access_duration_seconds: 1e300 }],
    [400, { access_duration_seconds: 60.5 }],
    [400, { access_duration_seconds: '3600' }],
    [400, { access_duration_seconds: [3_600] }],
    [400, { access_duration_seconds: true }],
    [400, { access_duration_sec: 3_600 }],
    [400, { user_id: NOBODY }],
    [400, { org_id: NOBODY }],
    [400, []],
    [400, '{"__proto__":{"access_duration_seconds":90}}'],
    [400, '{"constructor":1}'],
    [400, '{'],
  ])('answer %i to %j', async (status, body) => {
    const before = await count();
    const answer = await issue(gateway, 'alice', body);
    expect([answer.status, answer.body]).toEqual([status, { message: expect.any(String) }]);
    expect(await count()).toBe(before);
  });

  const count = async (): Promise<number> => {
    const [row] = await gateway.database.query<{ count: number }>(
      'SELECT count(*)::int FROM connection_credentials',
    );
    return row?.count ?? -1;
  };

  it('ignore read-only fields of the body', async () => {
    const { body, status } = await issue(gateway, 'alice', {
      id: NOBODY,
      connection_name: 'other',
      session_id: NOBODY,
      has_review: true,
      review_id: NOBODY,
      expire_at: '2099-01-01T00:00:00Z',
      created_at: '2001-01-01T00:00:00Z',
      status: 'revoked',
      revoked_at: '2001-01-01T00:00:00Z',
      last_used_at: '2001-01-01T00:00:00Z',
      connection_credentials: { password: 'mine', username: 'root' },
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({ connection_name: 'orders', session_id: null, has_review: false });
    expect(body.id).not.toBe(NOBODY);
    expect(seconds(body)).toBe(3_600);
    expect(body.connection_credentials.username).toBe(body.id);
    expect(body.connection_credentials.password).not.toBe('mine');
    expect(await find(gateway, body.id)).toMatchObject({ principal: { subject: 'alice' } });
  });

  it.each([
    ['no such connection', 'alice', 'nothing', 404, 'there is no such connection'],
    ['an id of nothing', 'admin', NOBODY, 404, 'there is no such connection'],
    ['another kind', 'alice', 'tools', 422, 'credentials are issued for postgres and ssh connections only'],
    ['an auditor', 'auditor', 'orders', 403, expect.any(String)],
    ['an auditor, of nothing', 'auditor', 'nothing', 403, expect.any(String)],
  ] as const)('are not issued: %s', async (_, person, connection, status, message) => {
    const answer = await issue(gateway, person, {}, connection);
    expect([answer.status, answer.body]).toEqual([status, { message }]);
  });

  // promises: CONNECTION-10
  it('are not issued where clients, or the caller’s groups, may not connect', async () => {
    await path.connect('scripts-only', { access_mode_connect: 'disabled' });
    await path.connect('of-dba', { access_groups: ['dba'] });
    const refused = await issue(gateway, 'admin', {}, 'scripts-only');
    expect([refused.status, refused.body.message]).toEqual([
      403,
      'the connection scripts-only does not accept clients',
    ]);
    await gateway.call('admin', 'PATCH', '/organization', { features: { access_control: true } });
    try {
      const denied = await issue(gateway, 'alice', {}, 'orders');
      expect([denied.status, denied.body.message]).toEqual([404, 'there is no such connection']);
      expect((await issue(gateway, 'admin', {}, 'orders')).status).toBe(201);
    } finally {
      await gateway.call('admin', 'PATCH', '/organization', { features: { access_control: false } });
    }
    expect((await issue(gateway, 'alice', {}, 'of-dba')).status).toBe(201);
  });

  // promises: CREDENTIAL-3, RULE-10
  it('wait for a required approval; rules about scripts do not matter', async () => {
    for (const [name, access_type] of [
      ['by-approval', 'jit'],
      ['by-command', 'command'],
    ]) {
      await path.connect(name ?? '');
      await gateway.call('admin', 'POST', '/access-requests/rules', {
        name,
        access_type,
        reviewers_groups: ['dba'],
        min_approvals: 1,
        connection_names: [name],
      });
    }
    expect((await issue(gateway, 'alice', {}, 'by-approval')).status).toBe(202);
    expect((await issue(gateway, 'alice', {}, 'by-command')).status).toBe(201);
  });

  // promises: CREDENTIAL-5
  it('are listed to their owner, newest first, without a password', async () => {
    const mine = [await issued('bob'), await issued('bob', { access_duration_seconds: 60 })];
    const old = await aged(gateway, mine[0].id, '5 hours');
    await revoke(gateway, 'bob', mine[0].id);
    const { status, body, text } = await gateway.call('bob', 'GET', '/connection-credentials');
    const seen = body.data.map((item: { id: string; status: string }) => [item.id, item.status] as const);
    expect([status, seen]).toEqual([
      200,
      [
        [mine[1].id, 'active'],
        [mine[0].id, 'revoked'],
        [old, 'expired'],
      ],
    ]);
    const { connection_credentials: client, ...head } = mine[1];
    expect(body.data[0]).toEqual({ ...head, status: 'active', revoked_at: null, last_used_at: null });
    expect(body.data[1].revoked_at).toMatch(/Z$/);
    for (const { connection_credentials } of mine)
      expect(text).not.toContain(connection_credentials.password);
    expect(client.username).toBe(mine[1].id);
    expect(body.pages).toEqual({ page: 1, size: 1000, total: 3 });
    const second = await gateway.call('bob', 'GET', '/connection-credentials?page=2&page_size=2');
    expect(second.body).toMatchObject({ data: [{ id: old }], pages: { page: 2, size: 2, total: 3 } });
  });

  // promises: CREDENTIAL-5
  it('are listed to nobody else, not even to admins and auditors', async () => {
    const { id } = await issued('bob');
    for (const person of ['alice', 'auditor', 'admin'] as const) {
      const { status, body } = await gateway.call(person, 'GET', '/connection-credentials');
      expect(status).toBe(200);
      expect(body.data.map((item: { id: string }) => item.id)).not.toContain(id);
    }
    expect((await gateway.call(null, 'GET', '/connection-credentials')).status).toBe(401);
  });

  // promises: CREDENTIAL-6
  it('are revoked by their owner or an admin, at once and irreversibly', async () => {
    for (const person of ['alice', 'admin'] as const) {
      const { id } = await issued('alice');
      const answers = [await revoke(gateway, person, id), await revoke(gateway, 'alice', id)];
      expect(answers.map(({ status, text }) => [status, text])).toEqual([
        [204, ''],
        [204, ''],
      ]);
      expect(await find(gateway, id)).toBeUndefined();
    }
    const { id } = await issued('alice');
    expect((await revoke(gateway, 'alice', id.toUpperCase(), path.connectionId)).status).toBe(204);
    expect(await find(gateway, id)).toBeUndefined();
    const expired = await aged(gateway, id, '47 hours');
    expect((await revoke(gateway, 'alice', expired)).status).toBe(204);
  });

  it('keep the first time when revoked twice', async () => {
    const { id } = await issued('alice');
    const revokedAt = async () =>
      (await gateway.database.query('SELECT revoked_at FROM connection_credentials WHERE id = $1', [id]))[0];
    await revoke(gateway, 'admin', id);
    const first = await revokedAt();
    expect((await revoke(gateway, 'alice', id)).status).toBe(204);
    expect(await revokedAt()).toEqual(first);
    const racing = (await issued('alice')).id;
    const answers = await Promise.all(
      (['alice', 'admin', 'alice', 'admin'] as const).map((who) => revoke(gateway, who, racing)),
    );
    expect(answers.map(({ status }) => status)).toEqual([204, 204, 204, 204]);
  });

  it('are 404 for strangers, and under another connection', async () => {
    const { id } = await issued('alice');
    for (const [person, target, connection, status, body] of [
      ['bob', id, 'orders', 404, NO_CREDENTIAL],
      ['bob', NOBODY, 'orders', 404, NO_CREDENTIAL],
      ['alice', NOBODY, 'orders', 404, NO_CREDENTIAL],
      ['admin', NOBODY, 'orders', 404, NO_CREDENTIAL],
      ['alice', id, 'tools', 404, NO_CREDENTIAL],
      ['admin', id, 'nothing', 404, NO_CREDENTIAL],
      ['auditor', id, 'orders', 403, expect.anything()],
      ['auditor', NOBODY, 'orders', 403, expect.anything()],
      ['alice', 'not-a-uuid', 'orders', 400, { message: 'id must be a UUID' }],
    ] as const) {
      const answer = await revoke(gateway, person, target, connection);
      expect([person, target, answer.status, answer.body]).toEqual([person, target, status, body]);
    }
    expect(await find(gateway, id)).toMatchObject({ id });
  });

  it('are for machines too, and end with the API key', async () => {
    const create = async (name: string) =>
      (await gateway.call('admin', 'POST', '/api-keys', { name })).body as { id: string; key: string };
    const [machine, stranger] = [await create('etl'), await create('other')];
    const { id } = await issued(machine);
    expect(await find(gateway, id)).toMatchObject({
      principal: { subject: `api-key:${machine.id}`, identityType: 'machine' },
    });
    const list = async (caller: typeof machine) =>
      (await ask(gateway, caller, 'GET', '/connection-credentials')).body.data;
    expect([await list(machine), await list(stranger)]).toEqual([[expect.objectContaining({ id })], []]);
    expect((await revoke(gateway, stranger, id)).status).toBe(404);
    await gateway.call('admin', 'DELETE', `/api-keys/${machine.id}`);
    await eventuallyUnfound(id);
  });

  // promises: CREDENTIAL-7
  it('are refused while their owner is inactive, deleted, or an auditor', async () => {
    await gateway.call('admin', 'POST', '/groups', { name: 'auditor' });
    const { id } = await issued('bob');
    const [bob] = await gateway.database.query<{ id: string }>(`SELECT id FROM users WHERE subject = 'bob'`);
    await path.setStatus('bob', 'inactive');
    await eventuallyUnfound(id);
    await path.setStatus('bob', 'active');
    await eventuallyFound(id);
    await gateway.database.query(
      `INSERT INTO user_groups (org_id, user_id, group_name, source)
       SELECT org_id, id, 'auditor', 'manual' FROM users WHERE subject = 'bob'`,
    );
    await eventuallyUnfound(id);
    await gateway.database.query(`DELETE FROM user_groups WHERE user_id = $1 AND source = 'manual'`, [
      bob?.id,
    ]);
    await eventuallyFound(id);
    const [orphan] = await gateway.database.query<{ id: string }>(
      `INSERT INTO connection_credentials
         (org_id, connection_id, identity_type, user_id, iterations, salt, stored_key, server_key, expire_at)
       SELECT org_id, connection_id, identity_type, gen_random_uuid(), iterations, salt, stored_key, server_key, expire_at
       FROM connection_credentials WHERE id = $1 RETURNING id`,
      [id],
    );
    expect(await find(gateway, orphan?.id ?? '')).toBeUndefined();
  });

  const eventuallyUnfound = (id: string) =>
    eventually('it is of no use', async () => (await find(gateway, id)) === undefined);
  const eventuallyFound = (id: string) =>
    eventually('it is of use', async () => (await find(gateway, id)) !== undefined);

  it('are in the audit log, issued and revoked, without secrets', async () => {
    const { id, expire_at } = await issued('alice');
    await revoke(gateway, 'bob', id);
    await revoke(gateway, 'admin', id);
    await issue(gateway, 'auditor');
    await eventually('three lines', async () => (await auditOf(id)).length === 3);
    const lines = await auditOf(id);
    const seen = lines.map((line: Record<string, unknown> & { actor: { id: string } }) => [
      line.actor.id,
      line['action'],
      line['status'],
      line['changes'],
    ]);
    const created = expect.arrayContaining([
      { field: 'id', before: null, after: id },
      { field: 'connection_name', before: null, after: 'orders' },
      { field: 'expire_at', before: null, after: expire_at },
    ]);
    expect(seen).toContainEqual(['alice', 'create', 201, created]);
    expect(seen).toContainEqual(['bob', 'update', 404, []]);
    expect(seen).toContainEqual([
      'admin',
      'update',
      204,
      [{ field: 'revoked_at', before: null, after: expect.stringMatching(/Z$/) }],
    ]);
    expect((await gateway.call('admin', 'GET', '/audit/verify')).body.valid).toBe(true);
  });

  // promises: CREDENTIAL-1
  it('leave their password nowhere: not in the database, the log, the audit log or another answer', async () => {
    const { id, connection_credentials: client } = await issued('alice');
    const answers: Answer[] = [
      await gateway.call('alice', 'GET', '/connection-credentials'),
      await issue(gateway, 'alice', { access_duration_seconds: 1, password: client.password }),
      await revoke(gateway, 'bob', id),
      await revoke(gateway, 'alice', id),
      await gateway.call('admin', 'GET', '/audit/logs'),
      await gateway.call('admin', 'GET', '/sessions'),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 400, 404, 204, 200, 200]);
    const stored = await dump(gateway.database);
    const everything = [...answers.map(({ text }) => text), stored, log.text()].join('\n');
    for (const form of spellings(client.password as string)) expect(everything).not.toContain(form);
    expect(stored).toContain(id);
    expect(log.text()).toContain('/connections/orders/credentials');
  });

  it('show the configured address', async () => {
    const port = await freePort();
    const elsewhere = await startGateway({
      beside: gateway,
      environment: { POSTGRES_PROXY_HOST: 'pg.example.com', POSTGRES_PROXY_PORT: String(port) },
    });
    try {
      const { connection_credentials: client } = (await issue(elsewhere)).body;
      expect(client).toMatchObject({ hostname: 'pg.example.com', port });
      expect(client.connection_string).toContain(`@pg.example.com:${port}/${databaseName()}?`);
    } finally {
      await elsewhere.close();
    }
  });

  it('are not issued by a gateway without PostgreSQL clients', async () => {
    const deaf = await startGateway({ beside: gateway, environment: { POSTGRES_PROXY_PORT: '0' } });
    try {
      const answer = await issue(deaf, 'admin');
      expect([answer.status, answer.body.message]).toEqual([
        422,
        'this gateway does not listen for PostgreSQL clients',
      ]);
    } finally {
      await deaf.close();
    }
  });

  describe('in the database', () => {
    const change = (set: string, id: string) =>
      gateway.database.query(`UPDATE connection_credentials SET ${set} WHERE id = $1`, [id]);

    it.each([
      ["expire_at = expire_at + interval '1 second'"],
      ["stored_key = decode(repeat('00', 32), 'hex')"],
      ['user_id = gen_random_uuid()'],
      ["identity_type = 'machine'"],
      ['connection_id = gen_random_uuid()'],
      ['id = gen_random_uuid()'],
      ["created_at = created_at - interval '1 day'"],
    ])('cannot be changed: %s', async (set) => {
      const { id } = await issued('alice');
      await expect(change(set, id)).rejects.toMatchObject({ code: '23001' });
    });

    it('cannot be reactivated after revocation', async () => {
      const { id } = await issued('alice');
      await revoke(gateway, 'alice', id);
      await expect(change('revoked_at = NULL', id)).rejects.toMatchObject({ code: '23001' });
      await expect(change('revoked_at = now()', id)).rejects.toMatchObject({ code: '23001' });
    });

    it.each([
      ['span', "expire_at - interval '2 days', expire_at + interval '1 second'"],
      ['span', 'expire_at, expire_at'],
      ['span', "expire_at + interval '1 second', expire_at"],
    ])('break the rule of their %s with %s', async (rule, span) => {
      const { id } = await issued('alice');
      const copy = gateway.database.query(
        `INSERT INTO connection_credentials
           (org_id, connection_id, identity_type, user_id, iterations, salt, stored_key, server_key, created_at, expire_at)
         SELECT org_id, connection_id, identity_type, user_id, iterations, salt, stored_key, server_key, ${span}
         FROM connection_credentials WHERE id = $1`,
        [id],
      );
      await expect(copy).rejects.toMatchObject({ constraint: `connection_credentials_${rule}_check` });
    });

    it.each([
      ['4095', 'salt', 'stored_key', 'server_key'],
      ['4096', "'\\x00'::bytea", 'stored_key', 'server_key'],
      ['4096', 'salt', "stored_key || '\\x00'", 'server_key'],
      ['4096', 'salt', 'stored_key', "'\\x'::bytea"],
    ])('break the rule of verifiers with %s, %s, %s, %s', async (...verifier) => {
      const { id } = await issued('alice');
      const copy = gateway.database.query(
        `INSERT INTO connection_credentials
           (org_id, connection_id, identity_type, user_id, iterations, salt, stored_key, server_key, expire_at)
         SELECT org_id, connection_id, identity_type, user_id, ${verifier.join(', ')}, expire_at
         FROM connection_credentials WHERE id = $1`,
        [id],
      );
      await expect(copy).rejects.toMatchObject({ constraint: 'connection_credentials_verifier_check' });
    });
  });
});
