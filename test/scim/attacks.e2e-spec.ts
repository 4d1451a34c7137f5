import { Client } from 'pg';
import { as } from '../support/callers';
import { describeGateway } from '../support/describe';
import { eventually } from '../support/eventually';
import { startGateway } from '../support/gateway';
import { type ScimProvider, scimProvider, sendScim } from '../support/scim/provider';
import { volume } from '../support/volume';

describeGateway('SCIM under attack', ({ gateway, begin }) => {
  let scim: ScimProvider;
  const strict = begin(() =>
    startGateway({
      beside: gateway,
      environment: { SCIM_REQUESTS_PER_MINUTE: '3', FAILED_CREDENTIALS_PER_MINUTE: '3' },
    }),
  );

  beforeAll(async () => {
    scim = await scimProvider(gateway);
  });

  // promises: SCIM-4
  it('is opened by SCIM tokens alone, which open nothing else', async () => {
    const key = await gateway.call('admin', 'POST', '/api-keys', { name: 'machine', groups: ['admin'] });
    for (const token of [undefined, await gateway.token('admin'), key.body.key as string, 'gws_x', 'x'])
      for (const path of ['/Users', '/ServiceProviderConfig', '/nothing']) {
        const { status, headers, body } = await sendScim(gateway, token, 'GET', path);
        expect([path, status, headers.get('www-authenticate')]).toEqual([path, 401, 'Bearer']);
        expect(body.schemas).toEqual(['urn:ietf:params:scim:api:messages:2.0:Error']);
      }
    for (const [method, path] of [
      ['GET', '/userinfo'],
      ['GET', '/users'],
      ['GET', '/scim-tokens'],
      ['POST', '/sessions'],
    ] as const)
      expect((await as(gateway, scim.token, method, path)).status).toBe(401);
    const mcp = await fetch(`${gateway.api}/mcp`, {
      method: 'POST',
      headers: { authorization: `Bearer ${scim.token}`, 'content-type': 'application/json' },
      body: '{}',
    });
    expect(mcp.status).toBe(401);
    expect((await sendScim(gateway, scim.token, 'GET', '/Users')).status).toBe(200);
  });

  // promises: SCIM-4
  it('shows a token once, and refuses it at every gateway as soon as it is revoked or has expired', async () => {
    const { token, id } = await scimProvider(gateway);
    const read = await gateway.call('admin', 'GET', `/scim-tokens/${id}`);
    expect(read.body).toMatchObject({ status: 'active', masked_token: `${token.slice(0, 8)}…` });
    expect((await gateway.call('admin', 'GET', '/scim-tokens')).text).not.toContain(token);
    const stored = await gateway.database.query('SELECT row_to_json(t)::text AS row FROM scim_tokens t');
    expect(JSON.stringify(stored)).not.toContain(token.slice(8));
    expect((await sendScim(strict, token, 'GET', '/Users')).status).toBe(200);
    expect((await gateway.call('admin', 'DELETE', `/scim-tokens/${id}`)).status).toBe(204);
    expect((await sendScim(strict, token, 'GET', '/Users')).status).toBe(401);
    const late = await scimProvider(gateway);
    await gateway.database.query('UPDATE scim_tokens SET expires_at = now() WHERE id = $1', [late.id]);
    expect((await late.send('GET', '/Users')).status).toBe(401);
    for (const person of ['alice', 'auditor'] as const)
      expect((await gateway.call(person, 'POST', '/scim-tokens', { name: 'mine' })).status).toBe(403);
  });

  // promises: SCIM-15
  it('limits the requests of a token, and bad tokens', async () => {
    const { token } = await scimProvider(gateway);
    const statuses = [];
    for (let sent = 0; sent < 5; sent += 1)
      statuses.push((await sendScim(strict, token, 'GET', '/Users?count=0')).status);
    expect(statuses).toEqual([200, 200, 200, 429, 429]);
    const refused = await sendScim(strict, token, 'GET', '/Users');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    await eventually(
      'guesses are refused',
      async () => (await sendScim(strict, 'gws_guess', 'GET', '/Users')).status === 429,
    );
  });

  // promises: SCIM-2
  it('writes no field that the schema does not have, and none that is read-only', async () => {
    const { body } = await scim.send('POST', '/Users', {
      userName: 'mass@example.com',
      id: '00000000-0000-4000-8000-000000000000',
      org_id: '00000000-0000-4000-8000-000000000000',
      version: 99,
      deleted_at: null,
      groups: [{ value: 'admin' }],
      roles: [{ value: 'admin' }],
      role: 'admin',
      __proto__: { active: false },
      constructor: { prototype: { active: false } },
      meta: { version: 'W/"99"', created: '2001-01-01T00:00:00Z' },
    });
    expect(Object.keys(body as object).sort()).toEqual(['active', 'id', 'meta', 'schemas', 'userName']);
    expect(body.id).not.toBe('00000000-0000-4000-8000-000000000000');
    expect(body.meta.version).toBe('W/"1"');
    for (const path of ['id', 'meta.version', 'groups', 'groups[value eq "x"]']) {
      const { status, body: error } = await scim.patch(`/Users/${body.id}`, {
        op: 'replace',
        path,
        value: 'x',
      });
      expect([path, status, error.scimType]).toEqual([path, 400, 'mutability']);
    }
    expect((await scim.patch(`/Users/${body.id}`, { op: 'remove', path: 'userName' })).body.scimType).toBe(
      'mutability',
    );
    expect((await scim.patch(`/Users/${body.id}`, { op: 'add', path: '__proto__.x', value: 1 })).status).toBe(
      400,
    );
  });

  // promises: SCIM-5
  it.each<[string, string]>([
    ['no closing quotation mark', 'userName eq "x'],
    ['an unknown attribute', 'password eq "x"'],
    ['an attribute of the database', 'org_id eq "x"'],
    ['an unknown operator', 'userName like "x"'],
    ['no value', 'userName eq'],
    ['SQL', `userName eq "x" OR 1=1 --`],
    ['a bare value', 'userName eq x'],
    ['a value of another type', 'active eq "maybe"'],
    ['an order of booleans', 'active gt true'],
    ['a time that is none', 'meta.created gt "soon"'],
    ['brackets in brackets', 'emails[emails[type eq "x"]]'],
    ['NUL', `userName eq "${String.raw`\u0000`}"`],
    ['half a character', `userName eq "${String.raw`\ud800`}"`],
    ['too many comparisons', Array.from({ length: 60 }, () => 'title pr').join(' or ')],
    ['too much nesting', `${'('.repeat(400)}title pr${')'.repeat(400)}`],
    ['too much text', `userName eq "${'x'.repeat(5_000)}"`],
    ['rest', 'title pr)'],
  ])('refuses a filter with %s', async (_, filter) => {
    const { status, body } = await scim.send('GET', `/Users?filter=${encodeURIComponent(filter)}`);
    expect([status, body.scimType]).toEqual([400, 'invalidFilter']);
  });

  // promises: SCIM-5
  it('gives up a list that takes too long, at the database, too', async () => {
    const holder = new Client({ connectionString: gateway.database.url });
    await holder.connect();
    try {
      await holder.query('BEGIN; LOCK TABLE scim_users IN ACCESS EXCLUSIVE MODE');
      const { status, body } = await scim.send('GET', '/Users?filter=title%20co%20%22x%22');
      expect([status, body.scimType]).toEqual([400, 'tooMany']);
      const { rows } = await holder.query(
        `SELECT query FROM pg_stat_activity WHERE datname = current_database() AND query LIKE '%AS listed%' AND state = 'active'
           AND pid <> pg_backend_pid()`,
      );
      expect(rows).toEqual([]);
    } finally {
      await holder.end();
    }
  });

  it('takes quotation marks and SQL in a value for text', async () => {
    const userName = `o'hara";DROP TABLE scim_users;--\\`;
    await scim.send('POST', '/Users', { userName });
    const filter = encodeURIComponent(`userName eq ${JSON.stringify(userName)}`);
    expect((await scim.send('GET', `/Users?filter=${filter}`)).body.totalResults).toBe(1);
  });

  it.each<[string, string, unknown, number]>([
    ['no JSON', '/Users', '{', 400],
    ['another type of content', '/Users', 'a=b', 415],
    ['a list', '/Users', [], 400],
    ['no user name', '/Users', {}, 400],
    ['a number as name', '/Users', { userName: 1 }, 400],
    ['an invisible name', '/Users', { userName: '\u202Eadmin' }, 400],
    ['too long a name', '/Users', { userName: 'x'.repeat(300) }, 400],
    ['a text as active', '/Users', { userName: 'x', active: 'yes' }, 400],
    [
      'too many addresses',
      '/Users',
      { userName: 'x', emails: Array.from({ length: 60 }, () => ({ value: 'x' })) },
      400,
    ],
    ['an unknown member', '/Groups', { displayName: 'x', members: [{ value: crypto.randomUUID() }] }, 400],
    ['a member that is no id', '/Groups', { displayName: 'x', members: [{ value: "' OR 1=1" }] }, 400],
    ['a body beyond 1 MiB', '/Users', { userName: 'x', title: 'x'.repeat(2_000_000) }, 413],
  ])('refuses %s', async (_, path, body, status) => {
    const headers = status === 415 ? { 'content-type': 'text/plain' } : {};
    const answer = await scim.send('POST', path, body, headers);
    expect(answer.status).toBe(status);
    expect(answer.body).toMatchObject({ status: String(status), detail: expect.any(String) });
  });

  // promises: SCIM-2
  it('keeps names and external ids apart: one user each', async () => {
    const names = ['Straße@x.example', 'admin@x.example', 'аdmin@x.example', 'ａdmin@x.example'];
    for (const userName of names) {
      expect((await scim.send('POST', '/Users', { userName })).status).toBe(201);
      expect((await scim.send('POST', '/Users', { userName: ` ${userName} ` })).status).toBe(409);
    }
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, at) =>
        scim.send('POST', '/Users', { userName: `twin-${at}`, externalId: 'twin' }),
      ),
    );
    expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([
      201,
      ...Array<number>(7).fill(409),
    ]);
    const groups = await Promise.all(
      Array.from({ length: 4 }, () => scim.send('POST', '/Groups', { displayName: 'Twins' })),
    );
    expect(groups.map(({ status }) => status).sort((a, b) => a - b)).toEqual([201, 409, 409, 409]);
  });

  // promises: SCIM-7
  it('takes and shows a group of many members', async () => {
    const count = volume(2_000, 10_000);
    await gateway.database.query(
      `INSERT INTO scim_users (org_id, user_name, external_id, active, attributes)
       SELECT id, 'many-' || n, 'many-' || n, true, '{}' FROM organizations, generate_series(1, $1) AS n`,
      [count],
    );
    const rows = await gateway.database.query<{ id: string }>(
      `SELECT id FROM scim_users WHERE external_id LIKE 'many-%'`,
    );
    const members = rows.map(({ id }) => ({ value: id, display: 'somebody' }));
    const created = await scim.send('POST', '/Groups', { displayName: 'many', members });
    expect([created.status, created.body.members.length]).toEqual([201, count]);
    const left = await scim.patch(
      `/Groups/${created.body.id}?excludedAttributes=members`,
      ...members.slice(0, 900).map(({ value }) => ({ op: 'remove', path: `members[value eq "${value}"]` })),
    );
    expect([left.status, left.body.members]).toEqual([200, undefined]);
    const page = await scim.send('GET', '/Groups?filter=displayName%20eq%20%22many%22');
    expect(page.body.Resources[0].members).toHaveLength(count - 900);
  });
});
